import type { MetricsEvent, MetricsReceipt, ServiceError } from '@joblisting/contracts';
import { inTransaction, type keptAnswersIn, keyInFlight, type Mongo } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import type { Batch } from './batch.ts';
import { increments, newEvents, receipts } from '../domain/tally.ts';
import type { AdditionStore } from './additions.ts';
import { seenOf } from './collections.ts';

export type Ledger = ReturnType<typeof ledger>;

/** What came of batches that were counted together. */
export interface Recorded {
  /** In the order of the batches; `idempotency_key_in_flight` for one whose key another replica has answered. */
  readonly outcomes: readonly (MetricsReceipt | ServiceError)[];
  /** How many events were counted that were not before. */
  readonly fresh: number;
}

/** How long ids are looked for first after some were found: what is sent again comes in series. */
const LOOK_FIRST_MS = 10_000;

/**
 * Counts each event id once: ids, what they add, and the receipts to keep are written in one transaction.
 *
 * Most ids are new, so they are written without a look: one that is there ends the transaction with nothing done,
 * and the next run looks for all of them. The look took a seventh of MongoDB's time of an event.
 */
export function ledger(mongo: Mongo, additions: AdditionStore, answers: ReturnType<typeof keptAnswersIn>) {
  const seen = seenOf(mongo);

  let lookFirstUntil = 0;

  const countedBefore = async (ids: readonly string[], session: ClientSession): Promise<Set<string>> => {
    if (ids.length === 0) return new Set();
    const found = await seen.find({ _id: { $in: [...ids] } }, { session, projection: { _id: 1 } }).toArray();
    return new Set(found.map(({ _id }) => _id));
  };

  /** Resolves to how many counts that adds. */
  const count = async (fresh: readonly MetricsEvent[], session: ClientSession): Promise<number> => {
    if (fresh.length === 0) return 0;
    // The machine's time, not the service's, which can be moved: the server forgets by its own.
    const at = new Date();
    await seen.insertMany(
      fresh.map(({ id }) => ({ _id: id, at })),
      { session },
    );
    const adds = increments(fresh);
    await additions.add(adds, session);
    return adds.length;
  };

  return {
    /**
     * Counts the events of jobs that exist that were not counted before, and resolves once that is durable.
     * Rejects as `inTransaction` does.
     */
    record: async (
      batches: readonly Batch[],
      jobIds: ReadonlySet<number>,
      deadline: number,
    ): Promise<Recorded> => {
      const keys = batches.flatMap(({ keep }) => keep?.key ?? []);
      if (keys.length === 0 && newEvents(batches, jobIds).size === 0) {
        return { outcomes: receipts(batches, jobIds, new Set()), fresh: 0 };
      }
      await additions.makeRoom();
      let looks = performance.now() < lookFirstUntil;
      const { added, ...recorded } = await inTransaction(mongo, deadline, async (session) => {
        const taken = await answers.taken(keys, session);
        const open = batches.filter(({ keep }) => !keep || !taken.has(keep.key));
        const events = newEvents(open, jobIds);
        const counted = looks ? await countedBefore([...events.keys()], session) : new Set<string>();
        looks = true;
        if (counted.size > 0) lookFirstUntil = performance.now() + LOOK_FIRST_MS;
        const fresh = [...events.values()].filter(({ id }) => !counted.has(id));
        const adds = await count(fresh, session);
        const given = receipts(open, jobIds, counted);
        const receiptOf = new Map(open.map((batch, index) => [batch, given[index]]));
        const kept = open.flatMap(({ keep }, index) => keep?.answer(given[index] as MetricsReceipt) ?? []);
        await answers.insert(kept, session);
        // Whoever asked gets the answer that is there instead.
        const outcomes = batches.map((batch) => receiptOf.get(batch) ?? keyInFlight());
        return { outcomes, fresh: fresh.length, added: adds };
      });
      additions.added(added);
      return recorded;
    },
  };
}
