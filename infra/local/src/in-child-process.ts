import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { NODE_FLAGS } from '@joblisting/service-kit/node-flags';
import { Problem } from '../bootstrap/problem.mjs';
import type { Done, Works } from './child-process-main.ts';

const main = new URL(`./child-process-main${extname(import.meta.url)}`, import.meta.url);

/**
 * Runs a piece of work in a child process. What it loads (MongoDB's driver, contracts) would stay in this process for as
 * long as the system runs: 50 MB. Rejects as the work does, and at once when `signal` aborts.
 */
export function inChildProcess<N extends keyof Works>(
  name: N,
  args: Parameters<Works[N]>,
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<Works[N]>>> {
  return new Promise((resolve, reject) => {
    const child = fork(main, {
      // Ctrl-C on the terminal is not for it: it may be writing.
      detached: true,
      execArgv: [...process.execArgv, ...NODE_FLAGS],
      serialization: 'advanced',
      ...(signal && { signal }),
    });
    child.once('message', (done: Done<N>) => {
      if (!('failure' in done)) return resolve(done.answer);
      reject(done.isProblem ? new Problem(done.failure.message) : done.failure);
    });
    child.on('error', reject);
    // After its message this comes too late to matter.
    child.once('exit', (code, by) => reject(new Error(`${name} ended with ${by ?? code} and said nothing`)));
    child.send({ name, args });
  });
}
