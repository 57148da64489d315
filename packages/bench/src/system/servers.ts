import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobsStream } from '@joblisting/contracts';
import { startGuardedNats } from '@joblisting/testing/system';
import { databasePrefix, freePort, startMongod, type TestMongod, type TestNats } from '@joblisting/testing';
import { childrenByName } from '../measure/processes.ts';
import { startTraceSink, type TraceSink } from './trace-sink.ts';

/** What all processes of a run share. */
export interface Servers {
  readonly mongod: TestMongod;
  /** Each service has the permissions of production; other clients may do anything. */
  readonly nats: TestNats;
  /** Takes the spans, so that tracing costs what it costs in production. */
  readonly traces: TraceSink;
  /** Logs, and the data of `npm start`. */
  readonly directory: string;
  readonly pids: Readonly<Record<'mongod' | 'nats-server', number>>;
  /** How many job events the stream has taken so far. */
  readonly eventsPublished: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** Holds the jobs of product and baseline, so that neither is measured by cache misses. */
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
  // Ctrl-C ends the programs, but would leave the data.
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

/** A name for the databases of one system on the run's MongoDB. */
export const newDatabasePrefix = (): string => databasePrefix();

interface Monitored {
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly state: { readonly last_seq: number };
    }[];
  }[];
}

/** What the monitoring port of nats-server says of a stream. */
async function lastSequence(monitor: string, stream: string): Promise<number> {
  const answer = await fetch(`http://${monitor}/jsz?streams=true`);
  const { account_details: accounts = [] } = (await answer.json()) as Monitored;
  const found = accounts.flatMap((one) => one.stream_detail ?? []).find(({ name }) => name === stream);
  return found?.state.last_seq ?? 0;
}
