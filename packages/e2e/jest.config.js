import preset from '../testing/jest-preset.js';

const file = (name) => new URL(name, import.meta.url).pathname;

export default {
  ...preset,
  globalSetup: file('./jest-global-setup.js'),
  globalTeardown: file('./jest-global-teardown.js'),
  testTimeout: 60_000,
  maxWorkers: 1,
};
