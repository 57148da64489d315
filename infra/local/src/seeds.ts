// Seeds the demo through the gateway of a system that runs elsewhere. `docker compose up` runs it once.
import { ensureDemo } from './seed/demo.ts';
import { untilReady } from './network.ts';

const limitMs = 300_000;

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

const { GATEWAY_URL = '', HEALTH_URLS = '', DATA_DIR = '', NATS_URL = '' } = process.env;
const missing = Object.entries({ GATEWAY_URL, HEALTH_URLS, DATA_DIR, NATS_URL }).filter(
  ([, value]) => !value,
);
if (missing.length > 0) throw new Error(`Not set: ${missing.map(([name]) => name).join(', ')}`);

const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(limitMs)]);
for (const url of HEALTH_URLS.split(',')) {
  await untilReady(url, signal).catch((cause: unknown) => {
    throw new Error(`${url} is not ready`, { cause });
  });
}
const settings = { dataDir: DATA_DIR, publicUrl: GATEWAY_URL, clockOffsetMs: 0 };
await ensureDemo(settings, NATS_URL, process.env, stopping.signal);
