import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { serverBinary } from './binaries.ts';
import { freeze } from './freeze.ts';
import { guardServer } from './guard.ts';
import { serverParameters } from './test-mongo.ts';

/** A local mongod on loopback, member of the replica set `rs0`. */
export interface MongodProcess {
  readonly pause: () => void;
  readonly resume: () => void;
  /** `kill -9`, where it still runs. */
  readonly kill: () => Promise<void>;
}

/** @param cacheGigabytes of memory for what WiredTiger has read */
export function launchMongod(directory: string, port: number, cacheGigabytes: number): MongodProcess {
  const options = {
    replSet: 'rs0',
    dbpath: directory,
    port: String(port),
    bind_ip: '127.0.0.1',
    // mongod hangs when it prints into a pipe that nobody reads.
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
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }
      guarded?.close();
    },
  };
}
