import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../bootstrap/problem.mjs';
import type { Child } from './child.ts';

/** A program that is kept running. */
export type Program = {
  readonly name: string;
  readonly launch: () => Promise<Child>;
  /** Settles once the program does its work; rejects, or hangs on, when it does not. */
  readonly ready: (signal: AbortSignal) => Promise<void>;
  /** The last words of a program that ended, for the person who has to mend it. */
  readonly lastWords?: () => string;
};

export type Supervised = {
  readonly name: string;
  readonly stop: (limitMs: number) => Promise<void>;
};

export type Supervision = {
  /** Called whenever a process was started, before it is ready. */
  readonly onLaunch: (pid: number) => void;
  /** Takes a line about a restart. */
  readonly report: (line: string) => void;
  /** Gives up, at the first start too. */
  readonly signal: AbortSignal;
  readonly readyLimitMs?: number;
};

const firstPauseMs = 200;
const longestPauseMs = 5000;
/** A program that ran for this long is not in a loop of crashes. */
const steadyMs = 10_000;

/**
 * Starts a program, waits until it is ready, and from then on starts it again whenever it ends, with growing
 * pauses.
 * @throws Problem when it ends, or is not ready in time, at the first start: then nothing is left running.
 */
export async function supervise(program: Program, supervision: Supervision): Promise<Supervised> {
  const { onLaunch, report, readyLimitMs = 60_000 } = supervision;
  const stopping = new AbortController();
  supervision.signal.addEventListener('abort', () => stopping.abort(), { once: true });
  let child: Child | undefined;

  const launch = async (): Promise<Child> => {
    const launched = await program.launch();
    child = launched;
    onLaunch(launched.pid);
    const settled = new AbortController();
    const signal = AbortSignal.any([settled.signal, stopping.signal]);
    try {
      await Promise.race([
        program.ready(signal),
        launched.ended.then(async (how) => {
          await launched.heard;
          throw new Problem(`${program.name} ended with ${how}${lastWords(program)}`);
        }),
        delay(readyLimitMs, undefined, { signal }).then(() => {
          throw new Problem(
            `${program.name} was not ready after ${readyLimitMs / 1000} s${lastWords(program)}`,
          );
        }),
      ]);
    } finally {
      settled.abort();
    }
    return launched;
  };

  const keep = async (first: Child): Promise<void> => {
    let current: Child | undefined = first;
    let pauseMs = firstPauseMs;
    let since = performance.now();
    for (;;) {
      const how = await current?.ended;
      if (stopping.signal.aborted) return;
      if (how !== undefined) report(`${program.name} ended with ${how}; it is started again on its data`);
      pauseMs = performance.now() - since > steadyMs ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs);
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      since = performance.now();
      try {
        current = await launch();
        report(`${program.name} is back after ${Math.round(performance.now() - since)} ms`);
      } catch (error) {
        if (stopping.signal.aborted) return;
        report((error as Error).message);
        await child?.end(0);
        current = undefined;
      }
    }
  };

  let kept: Promise<void> = Promise.resolve();
  const stop = async (limitMs: number): Promise<void> => {
    stopping.abort();
    await child?.end(limitMs);
    await kept;
    // A restart that was under way when the stop came.
    await child?.end(limitMs);
  };
  try {
    kept = keep(await launch());
  } catch (error) {
    await stop(0);
    throw error;
  }
  return { name: program.name, stop };
}

function lastWords(program: Program): string {
  const words = program.lastWords?.() ?? '';
  return words === '' ? '.' : `: ${words}`;
}
