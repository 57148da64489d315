import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../bootstrap/terminal.mjs';
import type { Address, RunFile } from '../data-files.ts';
import type { DataLock } from '../lock.ts';
import type { Child } from './child.ts';

export type Program = {
  readonly name: string;
  readonly launch: () => Promise<Child>;
  /** Resolves when the program is ready; rejects or hangs otherwise. */
  readonly ready: (signal: AbortSignal) => Promise<void>;
  /** The log line that best explains why the program ended. */
  readonly lastLogLine?: () => string;
};

export type Supervised = {
  readonly name: string;
  readonly stop: (limitMs: number) => Promise<void>;
};

/** What every supervised process needs. */
export type SuperviseOptions = {
  readonly lock: DataLock;
  readonly runFile: RunFile;
  /** Prints a line on the terminal. */
  readonly show: (line: string) => void;
  /** Prints a line on the terminal and writes it to the log. */
  readonly report: (line: string) => void;
};

const readyLimitMs = 60_000;
const firstPauseMs = 200;
const maxPauseMs = 5000;
/** A program that ran this long is not in a crash loop. */
const steadyMs = 10_000;

/**
 * Starts a program, waits until it is ready, and restarts it whenever it ends, with growing pauses. Records each process in
 * `run.json` and the lock file.
 * @throws Problem when the first start fails or takes too long; then nothing is left running.
 */
export async function keepRunning(
  { runFile, lock, report }: SuperviseOptions,
  program: Program,
  address: Address,
  signal: AbortSignal,
): Promise<Supervised> {
  const stopping = new AbortController();
  signal.addEventListener('abort', () => stopping.abort(), { once: true });
  let child: Child | undefined;

  const launch = async (): Promise<Child> => {
    const launched = await program.launch();
    child = launched;
    runFile.set(program.name, { pid: launched.pid, ...address });
    lock.recordChildren(runFile.pids());
    const decided = new AbortController();
    const either = AbortSignal.any([decided.signal, stopping.signal]);
    try {
      await Promise.race([
        program.ready(either),
        launched.ended.then(async (how) => {
          await launched.outputStored;
          throw new Problem(`${program.name} ended with ${how}${explanation(program)}`);
        }),
        delay(readyLimitMs, undefined, { signal: either }).then(() => {
          throw new Problem(
            `${program.name} was not ready after ${readyLimitMs / 1000} s${explanation(program)}`,
          );
        }),
      ]);
    } finally {
      decided.abort();
    }
    return launched;
  };

  const restartForever = async (first: Child): Promise<void> => {
    let current: Child | undefined = first;
    let pauseMs = firstPauseMs;
    let launchedAt = performance.now();
    for (;;) {
      const how = await current?.ended;
      if (stopping.signal.aborted) return;
      if (how !== undefined) report(`${program.name} ended with ${how}; restarting it on its data`);
      pauseMs = performance.now() - launchedAt > steadyMs ? firstPauseMs : Math.min(pauseMs * 2, maxPauseMs);
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      launchedAt = performance.now();
      try {
        current = await launch();
        report(`${program.name} is back after ${Math.round(performance.now() - launchedAt)} ms`);
      } catch (error) {
        if (stopping.signal.aborted) return;
        report((error as Error).message);
        await child?.end(0);
        current = undefined;
      }
    }
  };

  let restarting: Promise<void> = Promise.resolve();
  const stop = async (limitMs: number): Promise<void> => {
    stopping.abort();
    await child?.end(limitMs);
    await restarting;
    // A restart may have begun before the stop.
    await child?.end(limitMs);
  };
  try {
    restarting = restartForever(await launch());
  } catch (error) {
    await stop(0);
    throw error;
  }
  return { name: program.name, stop };
}

function explanation(program: Program): string {
  const line = program.lastLogLine?.() ?? '';
  return line === '' ? '.' : `: ${line}`;
}
