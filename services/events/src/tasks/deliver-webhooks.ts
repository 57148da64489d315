import { type Clock, type Log, semaphore, type TaskOutcome, withTimeout } from '@joblisting/service-kit';
import type { AttemptStore } from '../store/attempt-store.ts';
import type { LeaseStore } from '../store/lease-store.ts';
import type { Work, WorkStore } from '../store/work-store.ts';
import { type RoundDeps, roundSender } from './send-round.ts';

/** Webhooks that are sent to at once. Those that fail have their own places, so that they take none of the others. */
const HEALTHY_AT_ONCE = 64;
const FAILING_AT_ONCE = 32;
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
  const failing = semaphore(FAILING_AT_ONCE);
  const underWay = new Map<number, Promise<void>>();

  const sendAll = async ({ id, isFailing }: Work): Promise<void> => {
    const limit = isFailing ? failing : healthy;
    try {
      for (let goesOn = true; goesOn && mayGoOn();) {
        goesOn = await limit(() => sendRound(id));
        await attempts.trim(id);
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
