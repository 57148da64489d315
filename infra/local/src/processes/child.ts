import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../bootstrap/problem.mjs';
import type { Guard } from './guard.ts';

/** How to run a program. */
export type Command = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Takes what it prints, until all is kept; without it, output goes nowhere and no pipe can fill up. */
  readonly output?: (stdout: Readable, stderr: Readable) => Promise<void>;
};

/** A running program. */
export type Child = {
  readonly pid: number;
  /** Settles when it ended, with how: `code 1` or `SIGKILL`. */
  readonly ended: Promise<string>;
  /** Settles when it ended and what it had printed is kept: it may still be on its way when the program is gone. */
  readonly heard: Promise<void>;
  /** Asks it to end, and ends it by force after the limit. */
  readonly end: (limitMs: number) => Promise<void>;
};

/** Who was started by a program may hold its output open for ever. */
const HEARD_WITHIN_MS = 1000;

/**
 * Starts a program in a process group of its own: Ctrl-C on the terminal reaches the supervisor alone, which
 * then ends the programs in order.
 * @throws Problem when it cannot be started.
 */
export async function startChild(command: Command, guard: Guard): Promise<Child> {
  const child = spawn(command.file, command.args, {
    detached: true,
    env: command.env ?? process.env,
    stdio: command.output === undefined ? 'ignore' : ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const { pid } = await new Promise<{ pid: number }>((resolve, reject) => {
    child.once('spawn', () => resolve({ pid: child.pid as number }));
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      reject(new Problem(`${command.file} could not be started (${code}).`));
    });
  });
  guard.watch(pid);
  void ended.then(() => guard.forget(pid));
  const { stdout, stderr } = child;
  const kept = stdout && stderr ? command.output?.(stdout, stderr) : undefined;
  const heard = ended.then(() => Promise.race([kept, delay(HEARD_WITHIN_MS, undefined, { ref: false })]));
  return {
    pid,
    ended,
    heard,
    end: async (limitMs) => {
      child.kill('SIGTERM');
      await Promise.race([ended, delay(limitMs, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await ended;
    },
  };
}
