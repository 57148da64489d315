import type { MetricsEvent } from '@joblisting/contracts';
import { inTransaction, type Mongo } from '@joblisting/service-kit';
import { increments } from '../domain/tally.ts';
import { countersOf, seenOf } from './collections.ts';

export type Ledger = ReturnType<typeof ledger>;

/** Counts each event id once: the ids and what they add are written in one transaction. */
export function ledger(mongo: Mongo) {
  const seen = seenOf(mongo);
  const counters = countersOf(mongo);

  return {
    /**
     * Counts the events that were not counted before, and resolves to the ids that were, once that is durable.
     * Rejects as `inTransaction` does.
     */
    count: (events: ReadonlyMap<string, MetricsEvent>, deadline: number): Promise<Set<string>> =>
      inTransaction(mongo, deadline, async (session) => {
        // Looked for first: a duplicate key would end the transaction.
        const found = await seen
          .find({ _id: { $in: [...events.keys()] } }, { session, projection: { _id: 1 } })
          .toArray();
        const counted = new Set(found.map(({ _id }) => _id));
        const fresh = [...events.values()].filter(({ id }) => !counted.has(id));
        if (fresh.length === 0) return counted;
        // Counters first: where another replica writes the same ones, this is known before the larger write.
        const additions = [...increments(fresh)].map(([jobId, counts]) => ({
          updateOne: {
            filter: { _id: jobId },
            update: { $inc: { ...counts }, $set: { dirty: true as const } },
            upsert: true,
          },
        }));
        await counters.bulkWrite(additions, { session });
        // The machine's time, not the service's, which can be moved: the server forgets by its own.
        const at = new Date();
        await seen.insertMany(
          fresh.map(({ id }) => ({ _id: id, at })),
          { session },
        );
        return counted;
      }),
  };
}
