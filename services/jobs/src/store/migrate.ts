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
/** Only 1.0.0 has it. It is dropped last, so a migration that breaks off is done again. */
const MARK = 'list_days';
const DROPPED = ['list_totals', 'settlements', MARK];
const oldFields = { events: '', settledBy: '', counted: '', miscounted: '' } as const;

/**
 * Brings the data of 1.0.0 to this release: all jobs are to be counted anew, and what was still to be published becomes
 * a change, so that the relay publishes it. Stop all replicas of 1.0.0 first, and start one of this release alone.
 */
export async function migrate(mongo: Mongo): Promise<void> {
  const database = databaseOf(mongo);
  const names = await database.listCollections({}, { nameOnly: true }).toArray();
  if (!names.some(({ name }) => name === MARK)) return;
  for (const name of ['jobs', 'tombstones']) {
    const holders = database.collection<OldHolder>(name);
    for (let after = -Infinity; ;) {
      const found = await holders
        .find({ _id: { $gt: after } })
        .project<OldHolder>({ companyId: 1, version: 1, events: 1 })
        .sort({ _id: 1 })
        .limit(CHUNK)
        .toArray();
      if (found.length === 0) break;
      after = found.at(-1)?._id ?? after;
      const ids = found.map(({ _id }) => _id);
      const changes = found.flatMap(({ _id, companyId, events = [] }) =>
        events.map((event) => ({
          updateOne: { filter: { _id }, update: { $set: { change: changeOf(companyId, event) } } },
        })),
      );
      if (changes.length > 0) await holders.bulkWrite(changes);
      await holders.updateMany({ _id: { $in: ids } }, { $unset: oldFields, $set: { uncounted: true } });
    }
  }
  for (const name of DROPPED) await database.dropCollection(name);
}

const changeOf = (companyId: number, { version, statusId, at }: NonNullable<OldHolder['events']>[number]) =>
  toChangeDocument({
    kind: statusId === 1 ? 'published' : 'closed',
    version,
    companyId,
    statusId,
    at: at.getTime(),
  });
