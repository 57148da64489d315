import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { mongo } from 'mongoose';
import { waitFor } from '../wait-for.ts';
import { serverBinary } from './binaries.ts';
import { freePort } from './containers.ts';
import { guard } from './guard.ts';
import { serverParameters, type TestMongo } from './test-mongo.ts';

/** A MongoDB of one node that can be killed, frozen and started again on its data. */
export type TestMongod = TestMongo & {
  /** `kill -9`; the data stays for `restart`. */
  kill: () => Promise<void>;
  /** Freezes the server: connections stay open and nothing answers. */
  pause: () => void;
  resume: () => void;
  /** Starts it again on the same port and data, after a kill where it still runs, and waits until it takes writes. */
  restart: () => Promise<void>;
  /** Lets `work` do to a database what no service does. */
  withDatabase: <T>(name: string, work: (database: mongo.Db) => Promise<T>) => Promise<T>;
  /** Everything of a collection, as it is stored. */
  read: <T extends object>(database: string, collection: string, projection?: object) => Promise<T[]>;
};

const readyLimitMs = 60_000;

/** Runs the local mongod as a process of its own: containers have no part in it. */
export async function startMongod(): Promise<TestMongod> {
  const directory = await mkdtemp(join(tmpdir(), 'mongod-test-'));
  const port = await freePort();
  const { mongo } = await import('mongoose');
  const uri = `mongodb://127.0.0.1:${port}/?replicaSet=rs0`;
  const direct = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  let running = launch(directory, port);

  const kill = async (): Promise<void> => {
    const { child, close } = running;
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    close();
  };
  const withClient = async <T>(work: (client: mongo.MongoClient) => Promise<T>): Promise<T> => {
    const client = new mongo.MongoClient(direct, { serverSelectionTimeoutMS: 1000 });
    try {
      return await work(await client.connect());
    } finally {
      await client.close();
    }
  };
  const primary = (): Promise<boolean> =>
    waitFor(
      () =>
        withClient(async (client) => {
          const hello = await client.db('admin').command({ hello: 1 });
          if (hello['isWritablePrimary'] !== true && hello['setName'] === undefined) {
            const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
            await client.db('admin').command({ replSetInitiate: { _id: 'rs0', members } });
          }
          return hello['isWritablePrimary'] === true;
        }),
      { limitMs: readyLimitMs, everyMs: 50, what: 'mongod to take writes' },
    );
  const stop = async (): Promise<void> => {
    await kill();
    await rm(directory, { recursive: true, force: true });
  };

  try {
    await primary();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    uri,
    kill,
    stop,
    pause: () => void running.child.kill('SIGSTOP'),
    resume: () => void running.child.kill('SIGCONT'),
    restart: async () => {
      await kill();
      running = launch(directory, port);
      await primary();
    },
    withDatabase: (name, work) => withClient((client) => work(client.db(name))),
    read: <T extends object>(database: string, collection: string, projection: object = {}) =>
      withClient((client) =>
        client.db(database).collection(collection).find({}, { projection }).toArray(),
      ) as unknown as Promise<T[]>,
  };
}

function launch(directory: string, port: number): { child: ChildProcess; close: () => void } {
  const options = {
    replSet: 'rs0',
    dbpath: directory,
    port: String(port),
    bind_ip: '127.0.0.1',
    // mongod hangs when it prints into a pipe that nobody reads.
    logpath: join(directory, 'mongod.log'),
    wiredTigerCacheSizeGB: '0.5',
    networkMessageCompressors: 'disabled',
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(
    serverBinary('mongod'),
    [...args, ...serverParameters, '--logappend', '--nounixsocket', '--quiet'],
    { stdio: 'ignore' },
  );
  return { child, close: child.pid === undefined ? () => {} : guard(child.pid).close };
}
