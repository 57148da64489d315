import preset from '../../packages/testing/jest-preset.js';

/** These suites use no MongoDB: nothing is to be started for them. */
export default { ...preset, globalSetup: undefined, globalTeardown: undefined };
