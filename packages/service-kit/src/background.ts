import type { Log } from './log.ts';

/** A task that runs again and again, never twice at once. */
export interface Background {
  /** Requests a run now. */
  readonly trigger: () => void;
  /** Ends the repetition and resolves when the current run is over. */
  readonly stop: () => Promise<void>;
}

interface BackgroundOptions {
  /** Debounce after a run, in ms: triggers within it share the next run. */
  readonly restMs?: number;
  /** Milliseconds until the next run if the last one was idle; by default `everyMs`. */
  readonly idleMs?: number;
}

/** `idle`: there was nothing to do. */
export type TaskOutcome = 'idle' | void;

/**
 * Runs `task` at once and then `everyMs` after each end. A trigger during a run, or during the rest after it, causes
 * one more run. A failure is logged and retried at the next run.
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
  let isTriggered = false;
  let outcome: TaskOutcome;
  let isStopped = false;
  let endRest = () => {};

  const run = async () => {
    do {
      isTriggered = false;
      try {
        outcome = await task();
      } catch (error) {
        outcome = undefined;
        log.warn({ err: error, task: name }, 'a background task failed; it will be tried again');
      }
      // A stop still runs a trigger that came during the rest; one that came during the run waits for the next start.
      if (isStopped) return;
      if (restMs > 0) await rest();
    } while (isTriggered);
  };

  const rest = () =>
    new Promise<void>((resolve) => {
      const restTimer = setTimeout(resolve, restMs);
      endRest = () => {
        clearTimeout(restTimer);
        resolve();
      };
    });

  const trigger = () => {
    if (isStopped) return;
    if (running) {
      isTriggered = true;
      return;
    }
    clearTimeout(timer);
    running = run().finally(() => {
      running = undefined;
      if (!isStopped) timer = setTimeout(trigger, outcome === 'idle' ? idleMs : everyMs);
    });
  };

  trigger();
  return {
    trigger,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      endRest();
      await running;
    },
  };
}
