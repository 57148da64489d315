import type { MetricsEvent, MetricsReceipt, ServiceError } from '@joblisting/contracts';
import { type Clock, inTransaction, type KeptAnswer, keyInFlight, type Mongo } from '@joblisting/service-kit';
import type { keptAnswersIn } from '@joblisting/service-kit/mongo';
import type { ClientSession } from 'mongoose';
import { dayIncrements, jobsWithSources, type Sources } from '../domain/day-counts.ts';
import { chunksOf, increments, newEvents, receipts, type EventBatch } from '../domain/tally.ts';
import { counterModel } from '../models/counter.ts';
import { dayId, dayModel } from '../models/day.ts';
import { seenEventModel } from '../models/seen-event.ts';
import { unsentModel } from '../models/unsent.ts';

/** A batch to count, and how to keep its receipt if the request has an Idempotency-Key. */
export interface Batch extends EventBatch {
  readonly keep?: KeepReceipt | undefined;
}

interface KeepReceipt {
  readonly key: string;
  readonly answer: (receipt: MetricsReceipt) => KeptAnswer;
}

/** In the order of the batches; `idempotency_key_in_flight` for one whose key another replica has answered. */
export type Outcomes = readonly (MetricsReceipt | ServiceError)[];

/** Updates per command, so that it ends well within the socket's time-out. */
const UPDATES_AT_ONCE = 1000;

/** Counts each event id once: ids, totals, days and the receipts to keep are written in one transaction. */
export function ledger(mongo: Mongo, answers: ReturnType<typeof keptAnswersIn>, clock: Clock) {
  const seen = seenEventModel(mongo);
  const counters = counterModel(mongo);
  const days = dayModel(mongo);
  const unsent = unsentModel(mongo);

  const countedBefore = async (ids: readonly string[], session: ClientSession): Promise<Set<string>> => {
    const found = await seen.find({ _id: { $in: [...ids] } }, { _id: 1 }, { session }).lean();
    return new Set(found.map(({ _id }) => _id));
  };

  /** No other transaction can add a source meanwhile: it would write the same totals, which is a conflict. */
  const sourcesOf = async (jobIds: readonly number[], session: ClientSession): Promise<Sources> => {
    if (jobIds.length === 0) return new Map();
    const found = await counters.find({ _id: { $in: [...jobIds] } }, { sources: 1 }, { session }).lean();
    return new Map(found.map(({ _id, sources }) => [_id, sources ?? []]));
  };

  const count = async (fresh: ReadonlyMap<string, MetricsEvent>, session: ClientSession): Promise<void> => {
    if (fresh.size === 0) return;
    // The machine's time, not the service's clock, which can be moved: MongoDB expires events by its own clock.
    const at = new Date();
    await seen.insertMany(
      Array.from(fresh.keys(), (_id) => ({ _id, at })),
      { session, lean: true },
    );
    const added = increments(fresh.values());
    const known = await sourcesOf(jobsWithSources(fresh.values()), session);
    const { days: addedDays, newSources } = dayIncrements(fresh.values(), known, clock.now());
    for (const chunk of chunksOf(added, UPDATES_AT_ONCE)) {
      const raise = chunk.map(({ jobId, ...counts }) => {
        const sources = newSources.get(jobId);
        const update = { $inc: counts, ...(sources && { $addToSet: { sources: { $each: sources } } }) };
        return { updateOne: { filter: { _id: jobId }, update, upsert: true } };
      });
      await counters.bulkWrite(raise, { session });
    }
    for (const chunk of chunksOf(addedDays, UPDATES_AT_ONCE)) {
      const raise = chunk.map(({ jobId, day, source, ...counts }) => ({
        updateOne: { filter: { _id: dayId({ jobId, day, source }) }, update: { $inc: counts }, upsert: true },
      }));
      await days.bulkWrite(raise, { session });
    }
    await unsent.insertMany([{ jobIds: added.map(({ jobId }) => jobId) }], { session, lean: true });
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
    ): Promise<Outcomes> => {
      const keys = batches.flatMap(({ keep }) => keep?.key ?? []);
      if (keys.length === 0 && newEvents(batches, jobIds).size === 0) {
        return receipts(batches, jobIds, new Set());
      }
      return inTransaction(mongo, deadline, async (session) => {
        const answered = await answers.existingKeys(keys, session);
        const unanswered = batches.filter(({ keep }) => !keep || !answered.has(keep.key));
        const events = newEvents(unanswered, jobIds);
        const counted = await countedBefore([...events.keys()], session);
        await count(new Map([...events].filter(([id]) => !counted.has(id))), session);
        const newReceipts = receipts(unanswered, jobIds, counted);
        const receiptOf = new Map(unanswered.map((batch, index) => [batch, newReceipts[index]]));
        await answers.insert(
          unanswered.flatMap(({ keep }, index) => keep?.answer(newReceipts[index] as MetricsReceipt) ?? []),
          session,
        );
        // The endpoint replaces this error by the kept answer.
        return batches.map((batch) => receiptOf.get(batch) ?? keyInFlight());
      });
    },
  };
}
