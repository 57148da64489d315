import { databaseOf, inTransaction, type Mongo } from '@joblisting/service-kit';
import type { JobCounts } from '../domain/tally.ts';
import { counterModel } from '../models/counter.ts';
import { unsentModel } from '../models/unsent.ts';

/**
 * The events that release 1.0.0 had counted but not added to the totals. It is dropped last, so a migration can run
 * again.
 */
const ADDITIONS = 'additions';
const LIMIT_MS = 10_000;

/** Brings the data of 1.0.0 to this release: its additions go into the totals, and totals that jobs lacks are sent. */
export async function migrate(mongo: Mongo): Promise<void> {
  const database = databaseOf(mongo);
  const [isOld] = await database.listCollections({ name: ADDITIONS }, { nameOnly: true }).toArray();
  if (!isOld) return;
  const unsent = unsentModel(mongo);
  const additions = database.collection<{ readonly adds: readonly JobCounts[] }>(ADDITIONS);
  for await (const { _id, adds } of additions.find()) {
    const raise = adds.map(({ jobId, ...counts }) => ({
      updateOne: { filter: { _id: jobId }, update: { $inc: counts }, upsert: true },
    }));
    await inTransaction(mongo, Date.now() + LIMIT_MS, async (session) => {
      const { deletedCount } = await additions.deleteOne({ _id }, { session });
      if (deletedCount === 0 || raise.length === 0) return;
      await counterModel(mongo).bulkWrite(raise, { session });
      await unsent.insertMany([{ jobIds: adds.map(({ jobId }) => jobId) }], { session, lean: true });
    });
  }
  const counters = database.collection<{ readonly _id: number }>('counters');
  const dirty = await counters.distinct('_id', { dirty: true });
  if (dirty.length > 0) await unsent.insertMany([{ jobIds: dirty }], { lean: true });
  await counters.updateMany({ dirty: true }, { $unset: { dirty: '' } });
  await database.dropCollection(ADDITIONS);
}
