import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type Client, createClient } from '@joblisting/testing/system';
import type { Experiment, Run } from '../experiment.ts';
import { atLeast, type Figure, none, note, sized } from '../figures.ts';
import { createJob } from '../load/jobs.ts';
import { pacer, readLimit } from '../load/rate-limit.ts';
import { startWorkers } from '../load/workers.ts';
import type { Setting } from '../system/setting.ts';
import { pairs } from '../system/shapes.ts';
import { withOperator } from '../system/world.ts';

const MINUTE_MS = 60_000;
const GREEDY_WORKERS = 8;
/** Still far beyond its limit, but leaves CPU to the services. */
const GREEDY_PAUSE_MS = 15;
const GREEDY_LIMIT = { ci: 100, full: 600 };
const GREEDY_MS = { ci: 3000, full: 130_000 };
/** Several gateways may exceed the limit by 5 % and by the requests of a second: they exchange totals each second. */
const TOLERANCE = 1.05;
const EXCHANGE_MS = 1000;
const GATEWAYS = 2;

interface ObeyingClient {
  readonly name: string;
  readonly kind: 'reads' | 'writes';
  readonly perMinute: number;
  readonly isPaced: boolean;
  readonly workers: number;
}

const clients: readonly ObeyingClient[] = [
  { name: 'paced writes', kind: 'writes', perMinute: 600, isPaced: true, workers: 1 },
  { name: 'writes until none are left', kind: 'writes', perMinute: 240, isPaced: false, workers: 1 },
  {
    name: 'reads until none are left, four at once',
    kind: 'reads',
    perMinute: 600,
    isPaced: false,
    workers: 4,
  },
];

/** Clients that obey `RateLimit` at two gateways get no 429. One that does not is held to its limit. */
export const obeyingClient: Experiment = {
  name: 'obeying-client',
  run: (run) =>
    run.systems.use(pairs, async (setting) => {
      const obeying = await Promise.all(clients.map((client) => obey(run, setting, client)));
      run.say('the greedy client starts');
      return [...obeying.flat(), ...(await runGreedyClient(run, setting))];
    }),
};

type Request = () => Promise<Answer>;

/** Sends requests with a key of that limit to the gateways in rotation. */
async function createRequester(
  { servers, fleet, world }: Setting,
  kind: ObeyingClient['kind'],
  perMinute: number,
): Promise<Request> {
  const limits = kind === 'reads' ? { readsPerMinute: perMinute } : { writesPerMinute: perMinute };
  const { secret } = await withOperator(servers, (operator) =>
    operator.consumerKey(['jobs:read', 'jobs:write'], limits),
  );
  const keys = { consumer: secret, user: world.keys.user };
  const gateways = fleet.origins.map((origin) => createClient(origin, keys));
  const path = `/jobs/${await createJob(world)}`;
  let count = 0;
  return () => {
    const gateway = gateways[count++ % gateways.length] as Client;
    return kind === 'reads' ? gateway.get(path) : gateway.put(path, { title: `Title ${count}` });
  };
}

async function obey(run: Run, setting: Setting, client: ObeyingClient): Promise<Figure[]> {
  const { name, kind, perMinute, isPaced, workers } = client;
  const request = await createRequester(setting, kind, perMinute);
  const pace = pacer(isPaced);
  const refused: string[] = [];
  const odd: string[] = [];
  let requests = 0;
  const endAt = performance.now() + run.obeyMinutes * MINUTE_MS;
  /** Waits until a request may be sent; false at the end of the time. */
  const nextTurn = async (): Promise<boolean> => {
    for (;;) {
      const now = performance.now();
      const waitMs = pace.waitMs(now);
      if (now + waitMs >= endAt) return false;
      if (waitMs === 0) break;
      await delay(waitMs);
    }
    // There is no await since the check, so no other worker can take this turn.
    pace.sent();
    return true;
  };
  const work = async (): Promise<void> => {
    while (await nextTurn()) {
      requests += 1;
      const { status, headers } = await request();
      pace.answered(readLimit(headers.get('ratelimit')), performance.now());
      if (status === 429) refused.push(`request ${requests}, ${headers.get('ratelimit')}`);
      else if (status !== 200) odd.push(String(status));
      if (!headers.has('ratelimit-policy') || !headers.has('ratelimit')) odd.push('no RateLimit');
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return [
    none(`Obeying client, ${name}: 429`, refused, `${requests} requests`),
    none(`Obeying client, ${name}: answers other than 200 with RateLimit`, odd, `${requests} requests`),
    atLeast(`Obeying client, ${name}: requests`, requests, Math.floor(perMinute * run.obeyMinutes * 0.2)),
  ];
}

/** Sends far more than its limit allows. */
async function runGreedyClient(run: Run, setting: Setting): Promise<Figure[]> {
  const perMinute = sized(run, GREEDY_LIMIT);
  const request = await createRequester(setting, 'writes', perMinute);
  const lastsMs = sized(run, GREEDY_MS);
  // At ci scale it stays within one minute, which is the window of the limits.
  const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (run.scale === 'ci' && leftMs < lastsMs + 1000) await delay(leftMs + 100);
  const admitted = new Map<number, number>();
  const odd: string[] = [];
  let refused = 0;
  let requests = 0;
  const firstAt = performance.now();
  const load = startWorkers(GREEDY_WORKERS, async () => {
    const window = Math.floor(Date.now() / MINUTE_MS);
    const { status, headers } = await request();
    requests += 1;
    if (status === 429) {
      refused += 1;
      if (!headers.has('retry-after')) odd.push('429 without Retry-After');
    } else if (status !== 200) odd.push(String(status));
    // A request across the end of a window may count for either.
    else if (window === Math.floor(Date.now() / MINUTE_MS))
      admitted.set(window, (admitted.get(window) ?? 0) + 1);
    await delay(GREEDY_PAUSE_MS);
  });
  await delay(lastsMs);
  await load.stop();
  const perSecond = requests / ((performance.now() - firstAt) / 1000);
  const shared = perMinute * TOLERANCE + (perSecond * EXCHANGE_MS) / 1000;
  // No gateway by itself lets more through than the limit.
  const limit = Math.floor(Math.min(shared, perMinute * GATEWAYS));
  const over = [...admitted.values()].filter((count) => count > limit).map(String);
  return [
    none(
      `Greedy client: windows with more than ${limit} at a limit of ${perMinute}`,
      over,
      String(admitted.size),
    ),
    none('Greedy client: answers other than 200, 429 with Retry-After', odd, `${requests} requests`),
    note('Greedy client: admitted in each window', [...admitted.values()].join(', ')),
    atLeast('Greedy client: refused', refused, 1),
  ];
}
