import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile, waitFor } from '@joblisting/testing';
import { createClient } from '@joblisting/testing/system';
import { atMost } from '../measure/goals.ts';
import type { Note } from '../measure/result.ts';
import { cpuSoFar, used } from '../measure/processes.ts';
import { companyAt, LARGE } from './product.ts';
import type { Bench, Scenario } from './scenario.ts';

const PER_SECOND = 100;
const ROUNDS_LONG = 6;
const LIMIT_MS = 60_000;
const RETRY_MS = 50;
const SHOWN = ['jobs', 'events', 'mongod', 'nats-server'] as const;

/** Takes events at `/`, and never answers at `/dead`. */
async function startReceiver() {
  /** When the event of a job came, by the job's id. */
  const arrivals = new Map<number, number>();
  let unanswered = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray()).toString();
      if (request.url === '/dead') {
        unanswered += 1;
        return;
      }
      const { data } = JSON.parse(body) as { readonly data: { readonly job: { readonly id: number } } };
      arrivals.set(data.job.id, performance.now());
      response.writeHead(204).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    unanswered: () => unanswered,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A client of each company. */
const clientsOf = ({ seeded: { product, world } }: Bench) =>
  world.companies.map(({ keys }) => createClient(product.origin, keys));

async function register(bench: Bench, company: number, url: string): Promise<void> {
  const { id } = companyAt(bench.seeded, company);
  const answer = await clientsOf(bench)[company]?.post('/webhooks', { company: { id }, url, types: ['*'] });
  if (answer?.status !== 201) throw new Error(`POST /webhooks: ${answer?.status} ${answer?.text}`);
}

/** Counts the jobs of each company up, so that each is changed once. */
function jobsInTurn({ seeded: { copies, world } }: Bench) {
  const used = world.companies.map(() => 0);
  return (company: number): number => {
    const place = used[company] ?? 0;
    used[company] = place + 1;
    return copies.idOf(company, place);
  };
}

/**
 * Changes jobs at an even rate, every second one of the largest company, and returns the milliseconds from each answer
 * to the arrival of the event.
 */
async function measure(
  bench: Bench,
  { arrivals }: Receiver,
  nextJob: (company: number) => number,
): Promise<number[]> {
  const { sizes } = bench;
  const clients = clientsOf(bench);
  const writes = Math.round((PER_SECOND * ROUNDS_LONG * sizes.measureMs) / 1000);
  const answered = new Map<number, number>();
  const change = async (n: number): Promise<void> => {
    const company = n % 2 === 0 ? LARGE : 1 + (Math.floor(n / 2) % (clients.length - 1));
    const id = nextJob(company);
    const put = async () => (await clients[company]?.put(`/jobs/${id}`, { title: `Title ${n}` }))?.status;
    while ((await put()) !== 200) await delay(RETRY_MS);
    answered.set(id, performance.now());
  };
  const since = performance.now();
  const sent: Promise<void>[] = [];
  for (let n = 0; n < writes; n++) {
    sent.push(change(n));
    await delay(Math.max(0, since + ((n + 1) * 1000) / PER_SECOND - performance.now()));
  }
  await Promise.all(sent);
  const ids = [...answered.keys()];
  await waitFor(() => ids.every((id) => arrivals.has(id)), { limitMs: LIMIT_MS, what: 'all events' });
  return ids.map((id) => (arrivals.get(id) ?? 0) - (answered.get(id) ?? 0));
}

const notesOf = (what: string, times: readonly number[]): Note[] =>
  [0.5, 0.99, 1].map((part) => ({
    what: `${what}, ${part === 1 ? 'longest' : `p${part * 100}`}`,
    measured: quantile(times, part),
    unit: 'ms',
  }));

/**
 * Time from the 2xx of a write to the arrival of its event, at a receiver of each company: by themselves, then beside
 * one that never answers.
 */
export const webhooks: Scenario = {
  name: 'webhooks',
  run: async (bench) => {
    const receiver = await startReceiver();
    try {
      for (const [company] of bench.seeded.world.companies.entries())
        await register(bench, company, `${receiver.url}/`);
      const nextJob = jobsInTurn(bench);
      const before = cpuSoFar(bench.groups);
      const alone = await measure(bench, receiver, nextJob);
      const cpu = used(before, cpuSoFar(bench.groups), alone.length);
      await register(bench, LARGE, `${receiver.url}/dead`);
      const beside = await measure(bench, receiver, nextJob);
      return {
        goals: [atMost('p99 beside a receiver that never answers', quantile(beside, 0.99), 2000, 'ms')],
        notes: [
          { what: 'writes', measured: alone.length + beside.length, unit: '' },
          ...notesOf('receivers by themselves', alone),
          ...notesOf('beside one that never answers', beside),
          ...SHOWN.map((name) => ({ what: `CPU per write, ${name}`, measured: cpu[name] ?? 0, unit: 'µs' })),
          { what: 'requests to it', measured: receiver.unanswered(), unit: '' },
        ],
      };
    } finally {
      receiver.close();
    }
  },
};
