const file = (name) => new URL(name, import.meta.url).pathname;

export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': file('./strip-types.js') },
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/test/**/*.test.ts'],
  globalSetup: file('./jest-global-setup.js'),
  globalTeardown: file('./jest-global-teardown.js'),
  reporters: ['default', file('./jest-end-reporter.js')],
  testEnvironmentOptions: {
    customExportConditions: ['@joblisting/source', 'node', 'node-addons'],
  },
  testTimeout: 30_000,
};
