import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inChildProcess } from '../in-child-process.ts';
import { startChild } from '../processes/child.ts';
import type { Guard } from '../processes/guard.ts';
import type { Program } from '../processes/supervise.ts';
import { tailOf } from '../log-files.ts';

export type MongodOptions = {
  readonly binary: string;
  readonly dataDir: string;
  readonly logDir: string;
  readonly port: number;
};

/** The URI that services get: the replica set, without a database. */
export function mongodUri(port: number): string {
  return `mongodb://127.0.0.1:${port}/?replicaSet=rs0`;
}

/** A replica set of one node, bound to loopback, on data that is kept. */
export function mongod({ binary, dataDir, logDir, port }: MongodOptions, guard: Guard): Program {
  const dbPath = join(dataDir, 'mongodb');
  const logFile = join(logDir, 'mongod.log');
  const parameters = {
    // A transaction that a killed process left open blocks others for this long, instead of a minute.
    transactionLifetimeLimitSeconds: 3,
    // What a list has to skip of what was counted a moment ago, instead of five minutes.
    minSnapshotHistoryWindowInSeconds: 10,
    // The only node has nobody to hand over to.
    shutdownTimeoutMillisForSignaledShutdown: 100,
  };
  const options = {
    replSet: 'rs0',
    dbpath: dbPath,
    port: String(port),
    bind_ip: '127.0.0.1',
    // mongod hangs when it prints into a pipe that nobody reads.
    logpath: logFile,
    wiredTigerCacheSizeGB: '1',
    networkMessageCompressors: 'disabled',
  };
  const args = [
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ...Object.entries(parameters).flatMap(([name, value]) => ['--setParameter', `${name}=${value}`]),
    '--logappend',
    '--nounixsocket',
    '--quiet',
  ];
  return {
    name: 'mongod',
    launch: () => {
      mkdirSync(dbPath, { recursive: true });
      return startChild({ file: binary, args }, guard);
    },
    ready: (signal) =>
      inChildProcess('becomePrimary', [`mongodb://127.0.0.1:${port}/?directConnection=true`, port], signal),
    lastWords: () => `${tailOf(logFile, /"s":"[EF]"/)} (${logFile})`,
  };
}
