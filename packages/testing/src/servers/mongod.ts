import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { mongo } from 'mongoose';
import { freePort } from '../free-port.ts';
import { waitFor } from '../wait-for.ts';
import { mongoAccess, type MongoAccess } from './mongo-access.ts';
import { launchMongod, type TestMongo } from './mongod-process.ts';

/** A MongoDB of one node that can be killed, frozen and restarted. */
export type TestMongod = TestMongo &
  MongoAccess & {
    /** `kill -9`; the data stays for `restart`. */
    kill: () => Promise<void>;
    /** Freezes the server: connections stay open and get no answer. */
    pause: () => void;
    resume: () => void;
    /** Kills it if it runs, starts it on the same port and data, and waits until it accepts writes. */
    restart: () => Promise<void>;
  };

const READY_LIMIT_MS = 60_000;
const CACHE_GIGABYTES = 0.5;

/** Runs the local mongod binary, even if other tests use containers. */
export async function startMongod(): Promise<TestMongod> {
  const directory = await mkdtemp(join(tmpdir(), 'mongod-test-'));
  const port = await freePort();
  const launch = () => launchMongod(directory, port, CACHE_GIGABYTES);
  const { withClient, ...access } = mongoAccess(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  let running = launch();

  const primary = (): Promise<boolean> =>
    waitFor(() => withClient((client) => becomePrimary(client, port)), {
      limitMs: READY_LIMIT_MS,
      everyMs: 50,
      what: 'mongod to accept writes',
    });
  const stop = async (): Promise<void> => {
    await running.kill();
    await rm(directory, { recursive: true, force: true });
  };

  try {
    await primary();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...access,
    uri: `mongodb://127.0.0.1:${port}/?replicaSet=rs0`,
    stop,
    kill: () => running.kill(),
    pause: () => running.pause(),
    resume: () => running.resume(),
    restart: async () => {
      await running.kill();
      running = launch();
      await primary();
    },
  };
}

async function becomePrimary(client: mongo.MongoClient, port: number): Promise<boolean> {
  const hello = await client.db('admin').command({ hello: 1 });
  if (hello['isWritablePrimary'] !== true && hello['setName'] === undefined) {
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
    await client.db('admin').command({ replSetInitiate: { _id: 'rs0', members } });
  }
  return hello['isWritablePrimary'] === true;
}
