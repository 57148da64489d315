import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobsStream } from '@joblisting/contracts';
import { startGuardedNats } from '@joblisting/testing/system';
import { freePort, startMongod, type TestMongod, type TestNats } from '@joblisting/testing';
import { childrenByName } from '../measure/processes.ts';
import { startTraceSink, type TraceSink } from './trace-sink.ts';

/** The servers of a run. */
export interface Servers {
  readonly mongod: TestMongod;
  /** With the permissions of production for services. */
  readonly nats: TestNats;
  /** Accepts the spans, so that tracing has its cost of production. */
  readonly traces: TraceSink;
  /** Logs, and the data of `npm start`. */
  readonly directory: string;
  readonly pids: Readonly<Record<'mongod' | 'nats-server', number>>;
  /** The number of job events in the stream so far. */
  readonly eventsPublished: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** Large enough for all jobs, so that cache misses do not affect the figures. */
const CACHE_GB = 3;

export async function startServers(): Promise<Servers> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  const monitor = `127.0.0.1:${await freePort()}`;
  const [mongod, nats, traces] = await Promise.all([
    startMongod(),
    startGuardedNats(`http: "${monitor}"`),
    startTraceSink(),
  ]);
  await mongod.withDatabase('admin', (admin) =>
    admin.command({ setParameter: 1, wiredTigerEngineRuntimeConfig: `cache_size=${CACHE_GB}G` }),
  );
  const pids = childrenByName();
  const stop = async (): Promise<void> => {
    await Promise.all([mongod.stop(), nats.stop(), traces.stop()]);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  // Otherwise Ctrl-C would leave the data on disk.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  }
  return {
    mongod,
    nats,
    traces,
    directory,
    pids: { mongod: pids.get('mongod') ?? 0, 'nats-server': pids.get('nats-server') ?? 0 },
    eventsPublished: () => lastSequence(monitor, jobsStream.name),
    stop,
  };
}

interface StreamReport {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly state: { readonly last_seq: number };
    }[];
  }[];
}

/** The last sequence number of a stream, from nats-server's monitoring port. */
async function lastSequence(monitor: string, stream: string): Promise<number> {
  const answer = await fetch(`http://${monitor}/jsz?streams=true`);
  const { account_details: accounts = [] } = (await answer.json()) as StreamReport;
  const detail = accounts.flatMap((one) => one.stream_detail ?? []).find(({ name }) => name === stream);
  return detail?.state.last_seq ?? 0;
}
