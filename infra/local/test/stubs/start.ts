// The embedded start with two stubs in place of the services.
import { run } from '../../src/run.ts';

const main = new URL('./service.ts', import.meta.url).pathname;
process.exitCode = await run({
  services: [
    { name: 'jobs', main, frontDoor: false },
    { name: 'gateway', main, frontDoor: true },
  ],
  ready: async (settings) => `READY on ${settings.publicUrl}`,
});
