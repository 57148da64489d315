import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGuardedNats } from '@joblisting/e2e/harness';
import { databasePrefix, startMongod, type TestMongod, type TestNats } from '@joblisting/testing';
import { everyProcess } from '../kernel/process-figures.ts';
import { startTraceSink, type TraceSink } from './trace-sink.ts';

/** What all processes of a run share. */
export interface Servers {
  readonly mongod: TestMongod;
  /** Each service is a user of its own, with the permissions of production; everybody else may do anything. */
  readonly nats: TestNats;
  /** Where spans go, so that tracing does all its work. */
  readonly traces: TraceSink;
  /** Logs, and the data of `npm start`. */
  readonly directory: string;
  readonly pids: Readonly<Record<'mongod' | 'nats-server', number>>;
  readonly stop: () => Promise<void>;
}

/** All jobs twice, the product's and the baseline's: neither is to be measured by how it misses the cache. */
const CACHE_GB = 3;

export async function startServers(): Promise<Servers> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  const [mongod, nats, traces] = await Promise.all([startMongod(), startGuardedNats(), startTraceSink()]);
  await mongod.withDatabase('admin', (admin) =>
    admin.command({ setParameter: 1, wiredTigerEngineRuntimeConfig: `cache_size=${CACHE_GB}G` }),
  );
  const children = [...everyProcess()].filter(([, { parent }]) => parent === process.pid);
  const pids = new Map(children.map(([pid, { name }]) => [name, pid]));
  const stop = async (): Promise<void> => {
    await Promise.all([mongod.stop(), nats.stop(), traces.stop()]);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  // Ctrl-C: programs end with this process, data would stay.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  }
  return {
    mongod,
    nats,
    traces,
    directory,
    pids: { mongod: pids.get('mongod') ?? 0, 'nats-server': pids.get('nats-server') ?? 0 },
    stop,
  };
}

/** A name for the databases of one system on the run's MongoDB. */
export const newDatabasePrefix = (): string => databasePrefix();
