import { type Clock, type Log, semaphore, type TaskOutcome, withTimeout } from '@joblisting/service-kit';
import type { AttemptStore } from '../store/attempt-store.ts';
import type { LeaseStore } from '../store/lease-store.ts';
import type { Work, WorkStore } from '../store/work-store.ts';
import { type RoundDeps, roundSender } from './send-round.ts';

/** Webhooks that are sent to at once. Those that fail or are slow have their own places, and take none of the others. */
const HEALTHY_AT_ONCE = 64;
const OTHERS_AT_ONCE = 32;
/** A round that takes longer is slow. */
const SLOW_MS = 5000;
/** Attempts of a webhook between two removals of old ones. */
const TRIM_EVERY = 100;
/** The end of the process waits no longer for attempts under way. */
const STOP_LIMIT_MS = 5000;

interface DeliverDeps extends Omit<RoundDeps, 'mayGoOn'> {
  readonly work: WorkStore;
  readonly attempts: AttemptStore;
  readonly lease: LeaseStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

export interface DeliveringWebhooks {
  /** Starts a round for each webhook that has something to send. */
  readonly run: () => Promise<TaskOutcome>;
  /** Resolves when those under way are over, or soon. */
  readonly stop: () => Promise<void>;
}

/** Sends to webhooks while this replica leads. Each gets a round at a time, and then waits behind the others. */
export function deliveringWebhooks(deps: DeliverDeps): DeliveringWebhooks {
  const { work, attempts, lease, clock, log, stopping } = deps;
  const mayGoOn = () => lease.isHeld() && !stopping.aborted;
  const sendRound = roundSender({ ...deps, mayGoOn });
  const healthy = semaphore(HEALTHY_AT_ONCE);
  const others = semaphore(OTHERS_AT_ONCE);
  const slow = new Set<number>();
  const underWay = new Map<number, Promise<void>>();
  const untrimmed = new Map<number, number>();

  const sendTimed = async (id: number) => {
    const startedAt = performance.now();
    const end = await sendRound(id);
    if (performance.now() - startedAt > SLOW_MS) slow.add(id);
    else if (end.attempts > 0) slow.delete(id);
    return end;
  };

  const trimSometimes = async (id: number, made: number): Promise<void> => {
    const count = (untrimmed.get(id) ?? 0) + made;
    untrimmed.set(id, count);
    if (count < TRIM_EVERY) return;
    untrimmed.delete(id);
    await attempts.trim(id);
  };

  const sendAll = async ({ id, isFailing }: Work): Promise<void> => {
    try {
      for (let goesOn = true; goesOn && mayGoOn();) {
        const limit = isFailing || slow.has(id) ? others : healthy;
        const { hasMore, attempts: made } = await limit(() => sendTimed(id));
        await trimSometimes(id, made);
        goesOn = hasMore;
      }
    } catch (err) {
      log.warn({ err, webhookId: id }, 'sending to a webhook failed; it will be tried again');
    }
  };

  return {
    run: async () => {
      if (!(await lease.lead())) return 'idle';
      for (const found of await work.find(clock.now())) {
        const { id } = found;
        if (underWay.has(id)) continue;
        const sending = sendAll(found).finally(() => underWay.delete(id));
        underWay.set(id, sending);
      }
      return undefined;
    },
    stop: async () => {
      await withTimeout(Promise.all(underWay.values()), STOP_LIMIT_MS).catch(() => undefined);
    },
  };
}
