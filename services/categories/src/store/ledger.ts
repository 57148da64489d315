import type { ClientSession } from 'mongoose';
import { FIRST_CHECK_AFTER_MS, type Reference, referenceKey } from '../domain/reference.ts';
import type { Collections, ReferenceRow } from './collections.ts';

export const toReference = (row: ReferenceRow): Reference => ({
  jobId: row.jobId,
  categoryId: row.categoryId,
  version: row.version,
  acquiredAt: row.acquiredAt.getTime(),
});

/** The two steps that keep the ledger and the counts in the categories equal, each part of a transaction. */
export function ledger({ categories, references }: Pick<Collections, 'categories' | 'references'>) {
  const count = async (
    changed: readonly Pick<Reference, 'categoryId'>[],
    by: 1 | -1,
    session: ClientSession,
  ) => {
    const byCategory = Map.groupBy(changed, ({ categoryId }) => categoryId);
    const updates = Array.from(byCategory, ([_id, { length }]) => ({
      updateOne: { filter: { _id }, update: { $inc: { references: by * length } } },
    }));
    await categories.bulkWrite(updates, { session });
  };

  /** The keys of those that are there. */
  const present = async (some: readonly Reference[], session: ClientSession): Promise<Set<string>> => {
    if (some.length === 0) return new Set();
    const rows = await references
      .find({ _id: { $in: some.map(referenceKey) } }, { session, projection: { _id: 1 } })
      .toArray();
    return new Set(rows.map(({ _id }) => _id));
  };

  return {
    /**
     * Writes the references, one at most for each job and category, and counts those that were not there.
     * @param mayBeThere where not, a reference that is there makes it reject with a duplicate key
     */
    write: async (
      wanted: readonly Reference[],
      mayBeThere: (reference: Reference) => boolean,
      session: ClientSession,
    ): Promise<void> => {
      if (wanted.length === 0) return;
      const known = await present(wanted.filter(mayBeThere), session);
      const rows = wanted.map(rowOf);
      const renewed = rows.filter(({ _id }) => known.has(_id));
      const added = rows.filter(({ _id }) => !known.has(_id));
      if (renewed.length > 0) await references.bulkWrite(renewed.map(renewalOf), { session });
      if (added.length === 0) return;
      await references.insertMany(added, { session });
      await count(added, 1, session);
    },

    /** Drops references that this transaction has read, and counts them down. */
    drop: async (dropped: readonly Reference[], session: ClientSession): Promise<void> => {
      if (dropped.length === 0) return;
      await references.deleteMany({ _id: { $in: dropped.map(referenceKey) } }, { session });
      await count(dropped, -1, session);
    },
  };
}

const renewalOf = ({ _id, version, acquiredAt, checkAt }: ReferenceRow) => ({
  updateOne: { filter: { _id }, update: { $max: { version }, $set: { acquiredAt, checkAt } } },
});

const rowOf = (reference: Reference): ReferenceRow => ({
  _id: referenceKey(reference),
  jobId: reference.jobId,
  categoryId: reference.categoryId,
  version: reference.version,
  acquiredAt: new Date(reference.acquiredAt),
  checkAt: new Date(reference.acquiredAt + FIRST_CHECK_AFTER_MS),
});
