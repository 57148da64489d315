import { deadlineExceeded, type MetricsReceipt, overloaded } from '@joblisting/contracts';
import { batcher } from '@joblisting/service-kit';
import type { Batch, Outcomes } from './store/ledger.ts';

/** Counts batches in one transaction. */
export type CountTogether = (batches: readonly Batch[], deadline: number) => Promise<Outcomes>;

export interface Limits {
  readonly waitingBatches: number;
  readonly waitingEvents: number;
  /** The most events of one transaction. */
  readonly eventsTogether: number;
}

export interface CountingQueue {
  /**
   * The receipt of a batch, once it is durable. Rejects with `overloaded` (`metrics_backlog`) where too much waits, with
   * `deadline_exceeded` past the deadline (epoch ms), and with what the counting throws.
   */
  readonly submit: (batch: Batch, deadline: number) => Promise<MetricsReceipt>;
  /** What is being counted, or waits for it. */
  readonly waiting: () => { readonly batches: number; readonly events: number };
}

interface Submitted {
  readonly batch: Batch;
  readonly deadline: number;
}

/** One transaction at a time: two would conflict on the totals of popular jobs. */
const ONE_AT_A_TIME = { most: Number.POSITIVE_INFINITY, stuckMs: 5000 };

/** Counts batches that arrive while others are counted together, as a transaction costs little more for many events. */
export function countingQueue(countTogether: CountTogether, limits: Limits): CountingQueue {
  const waiting = { batches: 0, events: 0 };

  const countGroup = async (group: readonly Submitted[]): Promise<Map<Submitted, MetricsReceipt | Error>> => {
    const now = Date.now();
    const live = group.filter(({ deadline }) => deadline > now);
    const outcomes = new Map<Submitted, MetricsReceipt | Error>();
    if (live.length === 0) return outcomes;
    const counted = await countTogether(
      live.map(({ batch }) => batch),
      Math.max(...live.map(({ deadline }) => deadline)),
    ).catch((error: Error) => live.map(() => error));
    for (const [index, one] of live.entries()) outcomes.set(one, counted[index] as MetricsReceipt | Error);
    return outcomes;
  };

  const count = batcher<Submitted, MetricsReceipt>(async (all) => {
    const outcomes = new Map<Submitted, MetricsReceipt | Error>();
    for (const group of groupsOf(all, limits.eventsTogether)) {
      for (const [one, outcome] of await countGroup(group)) outcomes.set(one, outcome);
    }
    return all.map((one) => outcomes.get(one) ?? deadlineExceeded());
  }, ONE_AT_A_TIME);

  return {
    waiting: () => ({ ...waiting }),
    submit: async (batch, deadline) => {
      const { length } = batch.events;
      const isFull =
        waiting.batches >= limits.waitingBatches || waiting.events + length > limits.waitingEvents;
      if (isFull) throw overloaded('metrics_backlog');
      waiting.batches++;
      waiting.events += length;
      try {
        return await count({ batch, deadline });
      } finally {
        waiting.batches--;
        waiting.events -= length;
      }
    },
  };
}

/** In order, each of at most `mostEvents`; a larger batch is a group of its own. */
function groupsOf(all: readonly Submitted[], mostEvents: number): Submitted[][] {
  const groups: Submitted[][] = [];
  let room = 0;
  for (const one of all) {
    const { length } = one.batch.events;
    if (length > room) {
      groups.push([]);
      room = mostEvents;
    }
    groups.at(-1)?.push(one);
    room -= length;
  }
  return groups;
}
