import type { Bus } from '@joblisting/bus';
import { schedulerStream, transitionDue } from '@joblisting/contracts';
import { type Background, background, type Log } from '@joblisting/service-kit';
import type { OfOutboxes } from '../store/outbox-store.ts';

/** Each runs as often as its service's replicas do: what they do can be done by several at once. */
export interface BackgroundTasks {
  readonly settle: () => Promise<void>;
  readonly finishSettlements: () => Promise<void>;
  readonly relay: OfOutboxes<() => Promise<void>>;
  readonly upgradeLinks: () => Promise<void>;
  readonly cleanUpDeleted: () => Promise<void>;
  readonly forgetAnswers: () => Promise<void>;
  readonly foldTotals: () => Promise<void>;
}

export interface RunningBackground {
  readonly nudgeOutbox: (name: keyof OfOutboxes<unknown>) => void;
  readonly stop: () => Promise<void>;
}

/** Looking costs one index probe where nothing is due, so noon needs no timer of its own. */
const SETTLE_EVERY_MS = 1000;
/** One that is open for as long was left, as a rule. */
const FINISH_EVERY_MS = 2000;
/** What this process has written is relayed at once; this is for what one that is gone has left. */
const RELAY_EVERY_MS = 2000;
const RELAY_REST_MS = 50;
const LINKS_EVERY_MS = 2000;
const CLEAN_UP_EVERY_MS = 5000;
const FORGET_EVERY_MS = 30_000;
const FOLD_EVERY_MS = 1000;

/**
 * Starts what no request asks for. What is due is read from the data at start and each second; the scheduler's
 * message is one more reason to look (promise: status right, however long no scheduler ran).
 */
export function startBackground(tasks: BackgroundTasks, bus: Bus, log: Log): RunningBackground {
  const relaying = (name: keyof OfOutboxes<unknown>) =>
    background(`relay transitions of ${name}`, RELAY_EVERY_MS, tasks.relay[name], log, {
      restMs: RELAY_REST_MS,
    });
  const relays: OfOutboxes<Background> = {
    settlements: relaying('settlements'),
    jobs: relaying('jobs'),
    tombstones: relaying('tombstones'),
  };
  const settle = background('settle transitions', SETTLE_EVERY_MS, tasks.settle, log);
  const repeated: readonly Background[] = [
    settle,
    background('finish settlements', FINISH_EVERY_MS, tasks.finishSettlements, log),
    background('upgrade links', LINKS_EVERY_MS, tasks.upgradeLinks, log),
    background('clean up deleted jobs', CLEAN_UP_EVERY_MS, tasks.cleanUpDeleted, log),
    background('forget kept answers', FORGET_EVERY_MS, tasks.forgetAnswers, log),
    background('fold totals of lists', FOLD_EVERY_MS, tasks.foldTotals, log),
    ...Object.values(relays),
  ];
  const consuming = bus.consume(transitionDue, {
    durable: 'jobs',
    batch: 10,
    // Acknowledged at once: a run that takes long would be asked for again, here and elsewhere.
    handle: async () => settle.nudge(),
    onError: (err) =>
      log.warn({ err, stream: schedulerStream.name }, 'consuming failed; it will be tried again'),
  });
  return {
    nudgeOutbox: (name) => relays[name].nudge(),
    stop: async () => {
      await Promise.all([consuming.stop(), ...repeated.map((task) => task.stop())]);
    },
  };
}
