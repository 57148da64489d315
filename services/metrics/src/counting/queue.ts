import { deadlineExceeded, type MetricsReceipt, overloaded, ServiceError } from '@joblisting/contracts';
import type { Batch } from '../store/batch.ts';

/** Counts batches together and resolves to their receipts, in their order; a ServiceError refuses one. */
export type CountTogether = (
  batches: readonly Batch[],
  deadline: number,
) => Promise<readonly (MetricsReceipt | ServiceError)[]>;

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
  readonly submit: (batch: Batch, deadline: number) => Promise<MetricsReceipt>;
  /** What waits to be counted now. */
  readonly waiting: () => { readonly batches: number; readonly events: number };
}

interface Waiting {
  readonly batch: Batch;
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
    for (const one of waiting) {
      const { length } = one.batch.events;
      if (taken.length > 0 && events + length > limits.eventsTogether) break;
      events += length;
      taken.push(one);
    }
    waiting.splice(0, taken.length);
    waitingEvents -= events;
    const now = Date.now();
    for (const late of taken.filter(({ deadline }) => deadline <= now)) {
      late.reject(deadlineExceeded());
    }
    return taken.filter(({ deadline }) => deadline > now);
  };

  const count = async (taken: readonly Waiting[]): Promise<void> => {
    if (taken.length === 0) return;
    try {
      const deadline = Math.max(...taken.map((one) => one.deadline));
      const outcomes = await countTogether(
        taken.map(({ batch }) => batch),
        deadline,
      );
      for (const [index, one] of taken.entries()) {
        const outcome = outcomes[index] as MetricsReceipt | ServiceError;
        if (outcome instanceof ServiceError) one.reject(outcome);
        else one.resolve(outcome);
      }
    } catch (error) {
      for (const one of taken) one.reject(error);
    }
  };

  const work = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    while (waiting.length > 0) await count(take());
    busy = false;
  };

  return {
    waiting: () => ({ batches: waiting.length, events: waitingEvents }),
    submit: (batch, deadline) => {
      const { length } = batch.events;
      const isFull = waiting.length >= limits.waitingBatches || waitingEvents + length > limits.waitingEvents;
      if (isFull) {
        return Promise.reject(overloaded('metrics_backlog'));
      }
      return new Promise((resolve, reject) => {
        waiting.push({ batch, deadline, resolve, reject });
        waitingEvents += length;
        void work();
      });
    },
  };
}
