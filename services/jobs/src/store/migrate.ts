import { databaseOf, type Mongo } from '@joblisting/service-kit';
import { toChangeDocument } from '../models/change.ts';

/** What release 1.0.0 stored. */
interface OldHolder {
  readonly _id: number;
  readonly companyId: number;
  readonly version?: number;
  readonly events?: readonly { readonly version: number; readonly statusId: 1 | 2; readonly at: Date }[];
}

const CHUNK = 1000;
/** Only 1.0.0 has it. It is dropped last, so an interrupted migration runs again. */
const MARK = 'list_days';
const oldFields = { events: '', settledBy: '', counted: '', miscounted: '' } as const;
/** Jobs and tombstones that 1.0.0 wrote last. Two replicas may migrate at once, so none is touched twice. */
const isOld = {
  $or: [
    { events: { $exists: true } },
    { settledBy: { $exists: true } },
    { miscounted: { $exists: true } },
    { counted: { $type: 'object' } },
    { counted: { $exists: false }, uncounted: { $exists: false }, change: { $exists: false } },
  ],
};

/**
 * Migrates the data of 1.0.0: marks all jobs as uncounted, and turns each event that is not published yet into a
 * change, so that the relay publishes it. All replicas of 1.0.0 must have stopped.
 */
export async function migrate(mongo: Mongo): Promise<void> {
  const database = databaseOf(mongo);
  const names = await database.listCollections({}, { nameOnly: true }).toArray();
  if (!names.some(({ name }) => name === MARK)) return;
  await database.collection('list_totals').deleteMany({ writes: { $exists: true } });
  for (const name of ['jobs', 'tombstones']) {
    const holders = database.collection<OldHolder>(name);
    for (let after = -Infinity; ;) {
      const found = await holders
        .find({ _id: { $gt: after }, ...isOld })
        .project<OldHolder>({ companyId: 1, version: 1, events: 1 })
        .sort({ _id: 1 })
        .limit(CHUNK)
        .toArray();
      if (found.length === 0) break;
      after = found.at(-1)?._id ?? after;
      const ids = found.map(({ _id }) => _id);
      const changes = found.flatMap(({ _id, companyId, events = [] }) =>
        events.map((event) => ({
          updateOne: { filter: { _id, ...isOld }, update: { $set: { change: changeOf(companyId, event) } } },
        })),
      );
      if (changes.length > 0) await holders.bulkWrite(changes);
      await holders.updateMany(
        { _id: { $in: ids }, ...isOld },
        { $unset: oldFields, $set: { uncounted: true } },
      );
    }
  }
  await database.dropCollection('settlements');
  await database.dropCollection(MARK);
}

const changeOf = (companyId: number, { version, statusId, at }: NonNullable<OldHolder['events']>[number]) =>
  toChangeDocument({
    kind: statusId === 1 ? 'published' : 'closed',
    version,
    companyId,
    statusId,
    at: at.getTime(),
  });
