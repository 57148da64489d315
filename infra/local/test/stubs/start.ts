// `npm start` with two stubs instead of the services.
import { run } from '../../src/run.ts';

const main = new URL('./service.ts', import.meta.url).pathname;
process.exitCode = await run({
  services: [
    { name: 'jobs', main, publicPort: undefined },
    { name: 'gateway', main, publicPort: 'port' },
  ],
  ready: async (settings) => `READY on ${settings.publicUrl}`,
});
