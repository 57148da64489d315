import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { serverBinary } from './binaries.ts';
import { freeze, killNow } from './child-process.ts';
import { guardServer } from './guard.ts';

/** A MongoDB replica set. */
export type TestMongo = {
  /** Server URI without a database. */
  readonly uri: string;
  /** Ends the server and deletes its data. */
  stop: () => Promise<void>;
};

/**
 * Transactions of a killed process block others for 3 seconds instead of a minute, and removed index entries, which
 * readers skip, stay for 10 seconds instead of five minutes.
 */
export const serverParameters = [
  '--setParameter',
  'transactionLifetimeLimitSeconds=3',
  '--setParameter',
  'minSnapshotHistoryWindowInSeconds=10',
];

/** A local mongod on loopback, member of the replica set `rs0`. */
export interface MongodProcess {
  readonly pause: () => void;
  readonly resume: () => void;
  /** `kill -9`, if it runs. */
  readonly kill: () => Promise<void>;
}

/** @param cacheGigabytes the size of WiredTiger's cache */
export function launchMongod(directory: string, port: number, cacheGigabytes: number): MongodProcess {
  const options = {
    replSet: 'rs0',
    dbpath: directory,
    port: String(port),
    bind_ip: '127.0.0.1',
    // mongod hangs when it prints to a pipe without a reader.
    logpath: join(directory, 'mongod.log'),
    wiredTigerCacheSizeGB: String(cacheGigabytes),
    networkMessageCompressors: 'disabled',
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child: ChildProcess = spawn(
    serverBinary('mongod'),
    [...args, ...serverParameters, '--logappend', '--nounixsocket', '--quiet'],
    { stdio: 'ignore' },
  );
  const guarded = child.pid === undefined ? undefined : guardServer(child.pid);
  return {
    pause: () => freeze(child),
    resume: () => void child.kill('SIGCONT'),
    kill: async () => {
      await killNow(child);
      guarded?.close();
    },
  };
}
