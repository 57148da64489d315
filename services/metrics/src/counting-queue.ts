import { setImmediate } from 'node:timers/promises';
import { deadlineExceeded, type MetricsReceipt, overloaded } from '@joblisting/contracts';
import { withTimeout } from '@joblisting/service-kit';
import type { Batch, Outcomes } from './store/ledger.ts';

/** Counts batches in one transaction. */
export type CountBatches = (batches: readonly Batch[], deadline: number) => Promise<Outcomes>;

export interface Limits {
  /** Batches of one sender that may wait. All senders together may have twice as many, so one cannot fill the queue. */
  readonly waitingBatches: number;
  /** The same for their events. */
  readonly waitingEvents: number;
  /** The most events of one transaction. */
  readonly transactionEvents: number;
}

export interface CountingQueue {
  /**
   * The receipt of a batch, once it is durable. Rejects with `overloaded` (`metrics_backlog`) if too much waits, with
   * `deadline_exceeded` if the deadline (epoch ms) is past or too near, and with any error of the counting.
   */
  readonly submit: (batch: Batch, deadline: number) => Promise<MetricsReceipt>;
  /** Includes the batches that are being counted. */
  readonly backlog: () => { readonly batches: number; readonly events: number };
}

interface Submitted {
  readonly batch: Batch;
  readonly deadline: number;
  readonly resolve: (receipt: MetricsReceipt) => void;
  readonly reject: (error: unknown) => void;
}

/** Waiting batches and events, of one sender or of all. */
interface Backlog {
  batches: number;
  events: number;
}

/** Batches with less time left are rejected, because a transaction must end by the first deadline of its batches. */
const LEAST_TIME_MS = 200;
/** A longer transaction no longer delays the next one: its server may be frozen. */
const STUCK_MS = 5000;

/**
 * Batches that arrive during a transaction share the next one, which costs little more for many events. There is one
 * transaction at a time, because two would conflict on the totals of popular jobs.
 */
export function countingQueue(countBatches: CountBatches, limits: Limits): CountingQueue {
  const queue: Submitted[] = [];
  const backlog: Backlog = { batches: 0, events: 0 };
  const bySender = new Map<string, Backlog>();
  let isCounting = false;

  const isFull = ({ batches, events }: Backlog, more: number, times: number): boolean =>
    batches >= limits.waitingBatches * times || events + more > limits.waitingEvents * times;

  const countGroup = async (group: readonly Submitted[]): Promise<void> => {
    const countable = ({ deadline }: Submitted) => deadline - Date.now() >= LEAST_TIME_MS;
    const { live = [], expired = [] } = Object.groupBy(group, (one) => (countable(one) ? 'live' : 'expired'));
    for (const { reject } of expired) reject(deadlineExceeded());
    if (live.length === 0) return;
    const deadline = Math.min(...live.map((one) => one.deadline));
    try {
      const outcomes = await countBatches(
        live.map(({ batch }) => batch),
        deadline,
      );
      for (const [index, { resolve, reject }] of live.entries()) {
        const outcome = outcomes[index];
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome as MetricsReceipt);
      }
    } catch (error) {
      for (const { reject } of live) reject(error);
    }
  };

  const countAll = async (): Promise<void> => {
    if (isCounting) return;
    isCounting = true;
    while (queue.length > 0) {
      // Lets all batches of one socket read join the transaction.
      await setImmediate();
      const group = countGroup(takeGroup(queue, limits.transactionEvents));
      await withTimeout(group, STUCK_MS).catch(() => undefined);
    }
    isCounting = false;
  };

  return {
    backlog: () => ({ ...backlog }),
    submit: async (batch, deadline) => {
      const { sender, events } = batch;
      const { length } = events;
      const own = bySender.get(sender) ?? { batches: 0, events: 0 };
      if (isFull(own, length, 1) || isFull(backlog, length, 2)) throw overloaded('metrics_backlog');
      bySender.set(sender, own);
      for (const one of [own, backlog]) {
        one.batches++;
        one.events += length;
      }
      try {
        const { promise, resolve, reject } = Promise.withResolvers<MetricsReceipt>();
        queue.push({ batch, deadline, resolve, reject });
        void countAll();
        return await promise;
      } finally {
        for (const one of [own, backlog]) {
          one.batches--;
          one.events -= length;
        }
        if (own.batches === 0) bySender.delete(sender);
      }
    },
  };
}

/** Takes the first batches off the queue, up to `maxEvents`. A larger batch goes alone. */
function takeGroup(queue: Submitted[], maxEvents: number): Submitted[] {
  let events = 0;
  const end = queue.findIndex(({ batch }, index) => {
    events += batch.events.length;
    return events > maxEvents && index > 0;
  });
  return queue.splice(0, end < 0 ? queue.length : end);
}
