import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databasePrefix, startMongod, type TestMongod, type TestNats } from '@joblisting/testing';
import { createFleet, type Fleet, type FleetOptions, startGuardedNats } from '@joblisting/testing/system';

/** A server that can be killed, frozen and restarted. */
export interface Server {
  readonly kill: () => Promise<void>;
  readonly pause: () => void | Promise<void>;
  readonly resume: () => void | Promise<void>;
  readonly restart: () => Promise<void>;
}

/** What the services of one system share: one server of each kind, or several. */
export interface Shared {
  readonly mongod: Pick<TestMongod, 'uri' | 'read'>;
  readonly nats: Pick<TestNats, 'url'>;
  readonly databasePrefix: string;
  /** Directory of Node's compile cache, because many processes load the same modules. */
  readonly compileCache: string;
}

/** One MongoDB and one NATS. */
export interface Servers extends Shared {
  readonly mongod: TestMongod;
  readonly nats: TestNats;
  readonly stop: () => Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const compileCache = await mkdtemp(join(tmpdir(), 'chaos-modules-'));
  const [mongod, nats] = await Promise.all([startMongod(), startGuardedNats()]);
  return {
    mongod,
    nats,
    databasePrefix: databasePrefix(),
    compileCache,
    stop: async () => {
      await Promise.all([mongod.stop(), nats.stop(), rm(compileCache, { recursive: true, force: true })]);
    },
  };
}

const SHOWN_CHARACTERS = 2000;

/** Starts the services. @param report gets each error that a service logs */
export async function startFleet(
  servers: Shared,
  options: FleetOptions,
  report: (line: string) => void,
): Promise<Fleet> {
  const { nats, mongod, databasePrefix: prefix, compileCache } = servers;
  const fleet = await createFleet(
    { natsUrl: nats.url, mongodbUri: mongod.uri, databasePrefix: prefix },
    {
      ...options,
      env: { NODE_COMPILE_CACHE: compileCache, ...options.env },
      listen: (name) =>
        errorLines((line) => report(`an error in the log of ${name}: ${line.slice(0, SHOWN_CHARACTERS)}`)),
    },
  );
  try {
    await fleet.start();
    return fleet;
  } catch (error) {
    await fleet.stop();
    throw error;
  }
}

const ERROR = 50;

/**
 * Reads the log of a service (pino, one JSON object per line) and reports its errors. Services log expected faults as
 * warnings, so every error is a defect.
 */
export function errorLines(report: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (levelOf(line) >= ERROR) report(line);
  };
}

const levelOf = (line: string): number => Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0);
