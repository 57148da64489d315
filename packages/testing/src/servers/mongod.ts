import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { mongo } from 'mongoose';
import { freePort } from '../free-port.ts';
import { waitFor } from '../wait-for.ts';
import { mongoAccess, type MongoAccess } from './mongo-access.ts';
import { launchMongod } from './mongod-process.ts';
import type { TestMongo } from './test-mongo.ts';

/** A MongoDB of one node that can be killed, frozen and started again on its data. */
export type TestMongod = TestMongo &
  MongoAccess & {
    /** `kill -9`; the data stays for `restart`. */
    kill: () => Promise<void>;
    /** Freezes the server: connections stay open and nothing answers. */
    pause: () => void;
    resume: () => void;
    /** Starts it again on the same port and data, after a kill where it still runs, and waits until it takes writes. */
    restart: () => Promise<void>;
  };

const readyLimitMs = 60_000;
const cacheGigabytes = 0.5;

/** Runs the local mongod as a process of its own: containers have no part in it. */
export async function startMongod(): Promise<TestMongod> {
  const directory = await mkdtemp(join(tmpdir(), 'mongod-test-'));
  const port = await freePort();
  const launch = () => launchMongod(directory, port, cacheGigabytes);
  const { withClient, ...access } = mongoAccess(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  let running = launch();

  const primary = (): Promise<boolean> =>
    waitFor(() => withClient((client) => becomePrimary(client, port)), {
      limitMs: readyLimitMs,
      everyMs: 50,
      what: 'mongod to take writes',
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
