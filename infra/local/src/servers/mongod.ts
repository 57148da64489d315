import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { inChildProcess } from '../in-child-process.ts';
import { tailOf } from '../logs.ts';
import { type Guard, startChild } from '../processes/child.ts';
import type { Program } from '../processes/supervise.ts';
import { databaseKeyFile } from './secrets.ts';

export type MongodOptions = {
  readonly binary: string;
  readonly dataDir: string;
  readonly logDir: string;
  readonly port: number;
};

/** The replica set, without a database. */
export function mongodUri(port: number): string {
  return `mongodb://127.0.0.1:${port}/?replicaSet=rs0`;
}

/** A replica set of one member on loopback, with access control. */
export function mongod({ binary, dataDir, logDir, port }: MongodOptions, guard: Guard): Program {
  const dbPath = join(dataDir, 'mongodb');
  const logFile = join(logDir, 'mongod.log');
  const parameters = {
    // An open transaction of a killed process blocks others this long (default: a minute).
    transactionLifetimeLimitSeconds: 3,
    // Old index entries slow lists down until this time has passed (default: five minutes).
    minSnapshotHistoryWindowInSeconds: 10,
    // A single member has no other to step down to.
    shutdownTimeoutMillisForSignaledShutdown: 100,
  };
  const options = {
    replSet: 'rs0',
    dbpath: dbPath,
    port: String(port),
    bind_ip: '127.0.0.1',
    keyFile: databaseKeyFile(dataDir),
    // mongod hangs when nobody reads its output pipe.
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
      inChildProcess(
        'becomePrimary',
        [`mongodb://127.0.0.1:${port}/?directConnection=true`, port, dataDir],
        signal,
      ),
    lastLogLine: () => `${tailOf(logFile, /"s":"[EF]"/)} (${logFile})`,
  };
}
