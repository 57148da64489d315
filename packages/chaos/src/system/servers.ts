import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databasePrefix, startMongod, type TestMongod, type TestNats } from '@joblisting/testing';
import { createFleet, type Fleet, type FleetOptions, startGuardedNats } from '@joblisting/testing/system';
import { errorLines } from './error-lines.ts';

/** What can be killed, frozen and started again. */
export interface Server {
  readonly kill: () => Promise<void>;
  readonly pause: () => void | Promise<void>;
  readonly resume: () => void | Promise<void>;
  readonly restart: () => Promise<void>;
}

/** What the services of one system share, be it one server of each kind or several. */
export interface Shared {
  readonly mongod: Pick<TestMongod, 'uri' | 'read'>;
  readonly nats: Pick<TestNats, 'url'>;
  readonly databasePrefix: string;
  /** Compiled modules are kept: many processes load the same ones again and again. */
  readonly compileCache: string;
}

/** A MongoDB and a NATS. */
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

const TOLD_CHARACTERS = 2000;

/** Starts the services. @param tell gets each error that a service logs, as it comes */
export async function startFleet(
  servers: Shared,
  options: FleetOptions,
  tell: (line: string) => void,
): Promise<Fleet> {
  const { nats, mongod, databasePrefix: prefix, compileCache } = servers;
  const fleet = await createFleet(
    { natsUrl: nats.url, mongodbUri: mongod.uri, databasePrefix: prefix },
    {
      ...options,
      env: { NODE_COMPILE_CACHE: compileCache, ...options.env },
      listen: (name) =>
        errorLines((line) => tell(`an error in the log of ${name}: ${line.slice(0, TOLD_CHARACTERS)}`)),
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
