import tearDownServers from '../testing/jest-global-teardown.js';

export default async function tearDown() {
  await globalThis.stopSystem?.();
  await tearDownServers();
}
