import { announcement } from './announce.ts';
import { run } from './run.ts';
import { ensureDemo } from './seed/demo.ts';
import { ensureSiteKey } from './seed/site-key.ts';
import { services } from './services.ts';

process.exitCode = await run({
  services,
  ready: async (settings, { nats, metrics }, steps, signal) => {
    const operator = { ...process.env, ...nats.credentialsOf('operator') };
    const demo = await steps.run('Seeding the demo', async () => {
      await ensureSiteKey(settings, nats.url, operator, signal);
      return ensureDemo(settings, nats.url, operator, signal);
    });
    const now = Date.now();
    // Include the time of the bootstrap.
    const startedAt = Number(process.env['BOOTSTRAP_BEGAN_MS'] ?? performance.timeOrigin);
    return announcement(settings, demo, metrics, { startedInMs: now - startedAt, now });
  },
});
