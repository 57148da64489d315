import type { Log } from './log.ts';

/** A task that runs again and again, never twice at once. `nudge` asks for a run now. */
export interface Background {
  readonly nudge: () => void;
  /** Ends the repetition and resolves when the run under way is over. */
  readonly stop: () => Promise<void>;
}

interface BackgroundOptions {
  /** How long nudges gather after the end of a run, in milliseconds: a run for all of them costs little more than for one. */
  readonly restMs?: number;
  /** How long until the next run, in milliseconds, where the last one was idle. As always, unless it is given. */
  readonly idleMs?: number;
}

/** `idle`: there was nothing to do. */
export type TaskOutcome = 'idle' | void;

/**
 * Runs `task` at once and then `everyMs` after each end. A nudge during a run, or the rest after it, makes one more run
 * follow. A failure is logged and tried again at the next turn.
 */
export function background(
  name: string,
  everyMs: number,
  task: () => Promise<TaskOutcome>,
  log: Log,
  { restMs = 0, idleMs = everyMs }: BackgroundOptions = {},
): Background {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let outcome: TaskOutcome;
  let stopped = false;
  let endRest = () => {};

  const run = async () => {
    do {
      again = false;
      try {
        outcome = await task();
      } catch (error) {
        outcome = undefined;
        log.warn({ err: error, task: name }, 'a background task failed; it will be tried again');
      }
      // What was nudged in a rest is done before the end; during a run, the next start does it.
      if (stopped) return;
      if (restMs > 0) await rest();
    } while (again);
  };

  const rest = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, restMs);
      endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const start = () => {
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    clearTimeout(timer);
    running = run().finally(() => {
      running = undefined;
      if (!stopped) timer = setTimeout(start, outcome === 'idle' ? idleMs : everyMs);
    });
  };

  start();
  return {
    nudge: start,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      endRest();
      await running;
    },
  };
}
