// Seeds the demo of a system whose parts run elsewhere, through its front door, once: `docker compose up` runs it.
import { setTimeout as delay } from 'node:timers/promises';
import { ensureDemo } from './seed/demo.ts';

const limitMs = 300_000;
const answerLimitMs = 3000;
const lookMs = 250;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

const { GATEWAY_URL = '', HEALTH_URLS = '', DATA_DIR = '', NATS_URL = '' } = process.env;
const missing = Object.entries({ GATEWAY_URL, HEALTH_URLS, DATA_DIR, NATS_URL }).filter(
  ([, value]) => !value,
);
if (missing.length > 0) throw new Error(`Not set: ${missing.map(([name]) => name).join(', ')}`);

async function isReady(healthUrl: string): Promise<boolean> {
  try {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(answerLimitMs)]);
    const answer = await fetch(`${healthUrl}/readyz`, { signal });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

async function allReady(healthUrls: readonly string[]): Promise<void> {
  const giveUpAt = Date.now() + limitMs;
  for (const url of healthUrls) {
    while (!(await isReady(url))) {
      if (Date.now() > giveUpAt) throw new Error(`${url} is not ready`);
      await delay(lookMs, undefined, { signal: stopping.signal });
    }
  }
}

await allReady(HEALTH_URLS.split(','));
const settings = { dataDir: DATA_DIR, publicUrl: GATEWAY_URL, clockOffsetMs: 0 };
await ensureDemo(settings, NATS_URL, process.env, stopping.signal);
