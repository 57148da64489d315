import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serverBinary } from './binaries.ts';
import { freeze, killNow } from './child-process.ts';
import { guardServer } from './guard.ts';

const READY_LIMIT_MS = 10_000;

/** A local nats-server that accepts connections. */
export interface NatsProcess {
  readonly port: number;
  readonly pause: () => void;
  readonly resume: () => void;
  /** `kill -9`, if it runs. */
  readonly kill: () => Promise<void>;
}

/**
 * Starts a nats-server with this configuration, written to the directory.
 * @throws Error with its log if it does not become ready.
 */
export async function launchNats(directory: string, config: string): Promise<NatsProcess> {
  const file = join(directory, 'nats.conf');
  await writeFile(file, config);
  const child = spawn(serverBinary('nats-server'), ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const close = child.pid === undefined ? () => {} : guardServer(child.pid).close;
  try {
    const port = await ready(child);
    return {
      port,
      pause: () => freeze(child),
      resume: () => void child.kill('SIGCONT'),
      kill: async () => {
        await killNow(child);
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Resolves to the port when the log says that the server is ready, which includes JetStream. */
function ready(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let log = '';
    const fail = (why: string): void => reject(new Error(`nats-server ${why}:\n${log}`));
    const limit = setTimeout(() => fail(`was not ready after ${READY_LIMIT_MS} ms`), READY_LIMIT_MS);
    const read = (chunk: Buffer): void => {
      log += chunk.toString();
      const port = /Listening for client connections on \S+:(\d+)/.exec(log)?.[1];
      if (port === undefined || !log.includes('Server is ready')) return;
      clearTimeout(limit);
      child.stderr?.off('data', read).resume();
      resolve(Number(port));
    };
    child.stderr?.on('data', read);
    child.once('error', (error) => fail(`did not start (${error.message})`));
    child.once('exit', (code) => {
      clearTimeout(limit);
      fail(`ended with code ${code}`);
    });
  });
}
