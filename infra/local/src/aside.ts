import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { Problem } from '../bootstrap/problem.mjs';
import type { Done, Works } from './aside-process.ts';
import { atFullSpeed } from './node-args.ts';

const main = new URL(`./aside-process${extname(import.meta.url)}`, import.meta.url);

/**
 * Does a piece of work in a process of its own, which ends with it. What it loads, the driver of MongoDB or the
 * contracts, this process would hold for as long as the system runs: 50 MB. Arguments and answer are copied. Rejects as the
 * work does, and at once where `signal` aborts.
 */
export function aside<N extends keyof Works>(
  name: N,
  args: Parameters<Works[N]>,
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<Works[N]>>> {
  return new Promise((resolve, reject) => {
    const child = fork(main, {
      // Ctrl-C on the terminal is not for it: it may be writing.
      detached: true,
      execArgv: atFullSpeed(),
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
