import { type MetricsReceipt, ServiceError } from '@joblisting/contracts';
import type { Events } from '../domain/tally.ts';

/** Counts batches together and resolves to their receipts, in their order. */
export type CountTogether = (batches: readonly Events[], deadline: number) => Promise<MetricsReceipt[]>;

export interface Limits {
  readonly waitingBatches: number;
  readonly waitingEvents: number;
  /** The most events counted together; a batch larger than that is counted alone. */
  readonly eventsTogether: number;
}

export interface CountingQueue {
  /**
   * The receipt of a batch, once it is durable. Rejects with `overloaded` at once where too much waits, with
   * `deadline_exceeded` past the deadline (epoch ms), and with what the counting throws.
   */
  readonly submit: (events: Events, deadline: number) => Promise<MetricsReceipt>;
}

interface Waiting {
  readonly events: Events;
  readonly deadline: number;
  readonly resolve: (receipt: MetricsReceipt) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches that arrive while others are being counted wait, and are then counted together: a transaction costs
 * little more for many events than for one.
 */
export function countingQueue(countTogether: CountTogether, limits: Limits): CountingQueue {
  const waiting: Waiting[] = [];
  let waitingEvents = 0;
  let busy = false;

  const take = (): Waiting[] => {
    const taken: Waiting[] = [];
    let events = 0;
    for (const batch of waiting) {
      if (taken.length > 0 && events + batch.events.length > limits.eventsTogether) break;
      events += batch.events.length;
      taken.push(batch);
    }
    waiting.splice(0, taken.length);
    waitingEvents -= events;
    const now = Date.now();
    for (const late of taken.filter(({ deadline }) => deadline <= now)) {
      late.reject(new ServiceError('deadline_exceeded'));
    }
    return taken.filter(({ deadline }) => deadline > now);
  };

  const count = async (batches: readonly Waiting[]): Promise<void> => {
    if (batches.length === 0) return;
    try {
      const deadline = Math.max(...batches.map((batch) => batch.deadline));
      const receipts = await countTogether(
        batches.map(({ events }) => events),
        deadline,
      );
      for (const [index, batch] of batches.entries()) batch.resolve(receipts[index] as MetricsReceipt);
    } catch (error) {
      for (const batch of batches) batch.reject(error);
    }
  };

  const work = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    while (waiting.length > 0) await count(take());
    busy = false;
  };

  return {
    submit: (events, deadline) => {
      const isFull =
        waiting.length >= limits.waitingBatches || waitingEvents + events.length > limits.waitingEvents;
      if (isFull) {
        return Promise.reject(new ServiceError('overloaded', undefined, { retryAfterSeconds: 1 }));
      }
      return new Promise((resolve, reject) => {
        waiting.push({ events, deadline, resolve, reject });
        waitingEvents += events.length;
        void work();
      });
    },
  };
}
