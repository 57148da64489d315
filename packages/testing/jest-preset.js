const transform = new URL('./strip-types.js', import.meta.url).pathname;

export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': transform },
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/test/**/*.test.ts'],
  testEnvironmentOptions: {
    customExportConditions: ['@joblisting/source', 'node', 'node-addons', 'import', 'default'],
  },
  testTimeout: 30_000,
};
