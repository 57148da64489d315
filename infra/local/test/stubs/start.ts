// `npm start` with two stubs instead of the services.
import { run } from '../../src/run.ts';

const main = new URL('./service.ts', import.meta.url).pathname;
process.exitCode = await run({
  services: [
    { name: 'jobs', main, isGateway: false },
    { name: 'gateway', main, isGateway: true },
  ],
  ready: async (settings) => `READY on ${settings.publicUrl}`,
});
