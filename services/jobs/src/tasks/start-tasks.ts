import type { Bus } from '@joblisting/bus';
import { schedulerStream, transitionDue } from '@joblisting/contracts';
import { background, type Log } from '@joblisting/service-kit';

/** Every replica may run all of them at once. */
export interface Tasks {
  readonly settle: () => Promise<void>;
  readonly upgradeLinks: () => Promise<void>;
  readonly cleanUpDeleted: () => Promise<void>;
  readonly forgetAnswers: () => Promise<void>;
  readonly finishSyncs: () => Promise<void>;
  readonly foldTotals: () => Promise<void>;
}

/** Costs one index probe if nothing is due. */
const SETTLE_EVERY_MS = 1000;
const LINKS_EVERY_MS = 2000;
const CLEAN_UP_EVERY_MS = 5000;
const FORGET_EVERY_MS = 30_000;
const FINISH_SYNCS_EVERY_MS = 2000;
const FOLD_EVERY_MS = 5000;

/**
 * Starts the background tasks. They find what is due in the data; the scheduler's event only triggers them earlier.
 * @returns a stop that resolves once nothing is under way
 */
export function startTasks(tasks: Tasks, bus: Bus, log: Log): () => Promise<void> {
  const settle = background('settle transitions', SETTLE_EVERY_MS, tasks.settle, log);
  const repeated = [
    settle,
    background('upgrade links', LINKS_EVERY_MS, tasks.upgradeLinks, log),
    background('clean up deleted jobs', CLEAN_UP_EVERY_MS, tasks.cleanUpDeleted, log),
    background('forget kept answers', FORGET_EVERY_MS, tasks.forgetAnswers, log),
    background('finish syncs', FINISH_SYNCS_EVERY_MS, tasks.finishSyncs, log),
    background('fold totals of lists', FOLD_EVERY_MS, tasks.foldTotals, log),
  ];
  const consuming = bus.consume(transitionDue, {
    durable: 'jobs',
    batch: 10,
    // Acknowledged at once: during a long run, the stream would deliver the event again.
    handle: async () => settle.trigger(),
    onError: (err) =>
      log.warn({ err, stream: schedulerStream.name }, 'consuming failed; it will be tried again'),
  });
  return async () => {
    await Promise.all([consuming.stop(), ...repeated.map((task) => task.stop())]);
  };
}
