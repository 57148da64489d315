// Seeds the demo through the front door, once: its keys are kept in the volume of the demo.
import { setTimeout as delay } from 'node:timers/promises';
import { ensureDemo } from '../../local/dist/seed/demo.js';

const { GATEWAY_URL, NATS_URL, SERVICES, HEALTH_PORT } = process.env;
const limitMs = 300_000;
const answerLimitMs = 3000;
const lookMs = 250;

async function isReady(service) {
  try {
    const signal = AbortSignal.timeout(answerLimitMs);
    const answer = await fetch(`http://${service}:${HEALTH_PORT}/readyz`, { signal });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

const giveUpAt = Date.now() + limitMs;
for (const service of SERVICES.split(',')) {
  while (!(await isReady(service))) {
    if (Date.now() > giveUpAt) throw new Error(`${service} is not ready`);
    await delay(lookMs);
  }
}
await ensureDemo({ dataDir: '/demo', publicUrl: GATEWAY_URL, clockOffsetMs: 0 }, NATS_URL);
