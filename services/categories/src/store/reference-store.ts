import type { AssignedCategory } from '@joblisting/contracts';
import { type Clock, inTransaction, type Mongo, type NextId } from '@joblisting/service-kit';
import type { Acquisition } from '../domain/acquisition.ts';
import { NEXT_CHECK_AFTER_MS, type Reference, referenceKey } from '../domain/reference.ts';
import type { Release } from '../domain/release.ts';
import { acquireAll } from './acquire.ts';
import { collections } from './collections.ts';
import { groupCommit, lane } from './group-commit.ts';
import { ledger, toReference } from './ledger.ts';
import { releaseAll } from './release.ts';

/** The most jobs that one transaction acquires or releases for. */
const GROUP = 100;

export type ReferenceStore = ReturnType<typeof referenceStore>;

/** The ledger of which job has which category, in the collection `assignments`. */
export function referenceStore(mongo: Mongo, clock: Clock, nextCustomId: NextId) {
  const { categories, references } = collections(mongo);
  const { drop } = ledger({ categories, references });
  const writes = lane();

  return {
    acquire: groupCommit<Acquisition, AssignedCategory[]>({
      lane: writes,
      most: GROUP,
      apply: acquireAll(mongo, clock, nextCustomId),
    }),

    release: groupCommit<Release, number>({ lane: writes, most: GROUP, apply: releaseAll(mongo) }),

    /** Some references to the category, the oldest first. */
    ofCategory: async (categoryId: number, most: number): Promise<Reference[]> => {
      const rows = await references.find({ categoryId }).sort({ acquiredAt: 1 }).limit(most).toArray();
      return rows.map(toReference);
    },

    /** References whose turn it is to be checked, the longest due first. */
    due: async (now: number, most: number): Promise<Reference[]> => {
      const rows = await references
        .find({ checkAt: { $lte: new Date(now) } })
        .sort({ checkAt: 1 })
        .limit(most)
        .toArray();
      return rows.map(toReference);
    },

    /** Drops those of the references that nobody has acquired again since they were read. Resolves to how many. */
    drop: async (read: readonly Reference[], deadline: number): Promise<number> => {
      if (read.length === 0) return 0;
      const asRead = new Map(read.map((reference) => [referenceKey(reference), reference]));
      return inTransaction(mongo, deadline, async (session) => {
        const rows = await references.find({ _id: { $in: [...asRead.keys()] } }, { session }).toArray();
        const unchanged = rows.map(toReference).filter((reference) => {
          const { version, acquiredAt } = asRead.get(referenceKey(reference)) ?? {};
          return reference.version === version && reference.acquiredAt === acquiredAt;
        });
        await drop(unchanged, session);
        return unchanged.length;
      });
    },

    /** Puts off the next check of references that were found to be held. */
    confirm: async (held: readonly Reference[], now: number): Promise<void> => {
      if (held.length === 0) return;
      const checkAt = new Date(now + NEXT_CHECK_AFTER_MS);
      await references.bulkWrite(
        held.map((reference) => ({
          updateOne: {
            filter: { _id: referenceKey(reference), acquiredAt: new Date(reference.acquiredAt) },
            update: { $set: { checkAt } },
          },
        })),
        { ordered: false },
      );
    },
  };
}
