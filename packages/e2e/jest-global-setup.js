import setUpServers from '../testing/jest-global-setup.js';

/** Starts MongoDB, then one system for all files. */
export default async function setUp(globalConfig, projectConfig) {
  await setUpServers(globalConfig, projectConfig);
  const { startSystem } = await import('@joblisting/testing/system');
  const system = await startSystem({ env: { MAIL: 'off', WEBHOOK_ALLOWED_NETWORKS: 'loopback' } });
  const { origin, natsUrl, databasePrefix } = system;
  const services = [...system.services.values()].map(({ pid, healthUrl }) => ({ pid: pid(), healthUrl }));
  const siteOrigin = system.services.get('site').healthUrl;
  process.env.E2E_SYSTEM = JSON.stringify({ origin, siteOrigin, natsUrl, databasePrefix, services });
  globalThis.stopSystem = system.stop;
}
