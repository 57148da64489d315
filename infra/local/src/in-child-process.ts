import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { NODE_FLAGS } from '@joblisting/service-kit/node-flags';
import { Problem } from '../bootstrap/terminal.mjs';
import type { Outcome, Tasks } from './child-process-main.ts';

const main = new URL(`./child-process-main${extname(import.meta.url)}`, import.meta.url);

/**
 * Runs a task in a child process, because the MongoDB driver and the contracts would keep 50 MB in this process.
 * Rejects as the task does, and at once when `signal` aborts.
 */
export function inChildProcess<N extends keyof Tasks>(
  name: N,
  args: Parameters<Tasks[N]>,
  signal?: AbortSignal,
): Promise<Awaited<ReturnType<Tasks[N]>>> {
  return new Promise((resolve, reject) => {
    const child = fork(main, {
      // Ctrl-C must not interrupt its writes.
      detached: true,
      execArgv: [...process.execArgv, ...NODE_FLAGS],
      serialization: 'advanced',
      ...(signal && { signal }),
    });
    child.once('message', (outcome: Outcome<N>) => {
      if (!('failure' in outcome)) return resolve(outcome.answer);
      reject(outcome.isProblem ? new Problem(outcome.failure.message) : outcome.failure);
    });
    child.on('error', reject);
    // No effect after a message.
    child.once('exit', (code, by) => reject(new Error(`${name} ended with ${by ?? code} without a result`)));
    child.send({ name, args });
  });
}
