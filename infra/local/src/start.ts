import { announcement } from './announce.ts';
import { run } from './run.ts';
import { ensureDemo } from './seed/demo.ts';
import { services } from './services.ts';

process.exitCode = await run({
  services,
  ready: async (settings, { natsUrl }, steps) => {
    const demo = await steps.run('Seeding the demo', () => ensureDemo(settings, natsUrl));
    return announcement(settings, demo, process.uptime() * 1000);
  },
});
