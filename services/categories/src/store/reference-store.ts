import { type acquireCategories, type AssignedCategory, type BodyOf, nameKey } from '@joblisting/contracts';
import { inTransaction, type Mongo } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import { assign, type NamedCategories, newNames, requireKnown } from '../domain/acquisition.ts';
import type { Category } from '../domain/category.ts';
import {
  FIRST_CHECK_AFTER_MS,
  NEXT_CHECK_AFTER_MS,
  type Reference,
  referenceKey,
  type Release,
  releasedBy,
} from '../domain/reference.ts';
import { categoryModel } from '../models/category.ts';
import { type ReferenceDocument, referenceModel } from '../models/reference.ts';
import {
  companyLock,
  type CustomDeps,
  newCustom,
  newDocument,
  toCategory,
  TRANSACTION_MS,
} from './category-store.ts';
import { nameStore } from './names.ts';

type Acquisition = BodyOf<typeof acquireCategories>;

export type ReferenceStore = ReturnType<typeof referenceStore>;

/**
 * Which job has which custom category. Each transaction changes a reference and its category's count together. A
 * removal writes the same category, so no job gets a category that is being removed.
 */
export function referenceStore(mongo: Mongo, { nextCustomId, counts, locks }: CustomDeps) {
  const categories = categoryModel(mongo);
  const references = referenceModel(mongo);
  const names = nameStore(mongo);

  /** The categories that a job names and its company can use, system ones first. */
  const findNamed = async (named: NamedCategories, session?: ClientSession): Promise<Category[]> => {
    const entries = named.categories;
    const ids = entries.flatMap(({ id }) => id ?? []);
    const keys = entries.flatMap(({ id, name }) =>
      id === undefined && name !== undefined ? nameKey(name) : [],
    );
    const companyId = { $in: [null, named.companyId] };
    const filter = {
      $or: [
        { _id: { $in: ids }, companyId },
        { nameKey: { $in: keys }, companyId },
      ],
    };
    const found = await categories.find(filter, null, session && { session }).lean();
    return found.map(toCategory).toSorted((a, b) => a.id - b.id);
  };

  const create = async (
    newOnes: readonly string[],
    companyId: number,
    now: number,
    session: ClientSession,
  ) => {
    if (newOnes.length === 0) return [];
    // Checks the limit first, because a refused request must not use up ids.
    await counts.add(companyId, newOnes.length, session);
    const documents = [];
    for (const name of newOnes) {
      const document = newCustom(await nextCustomId(), name, companyId, now);
      await names.takeForCompany(document.nameKey, session);
      documents.push(document);
    }
    await categories.insertMany(documents, { session, lean: true });
    return documents.map(toCategory);
  };

  const count = async (changed: readonly Reference[], by: 1 | -1, session: ClientSession) => {
    const byCategory = Map.groupBy(changed, ({ categoryId }) => categoryId);
    const updates = Array.from(byCategory, ([_id, { length }]) => ({
      updateOne: { filter: { _id }, update: { $inc: { references: by * length } } },
    }));
    if (updates.length > 0) await categories.bulkWrite(updates, { session });
  };

  /** Writes one reference at most for each job and category, and counts the new ones. */
  const add = async (wanted: readonly Reference[], session: ClientSession): Promise<void> => {
    if (wanted.length === 0) return;
    const { upsertedIds } = await references.bulkWrite(wanted.map(upsertOf), { session });
    const added = wanted.filter((_reference, index) => index in upsertedIds);
    await count(added, 1, session);
  };

  /** Drops references that this transaction has read. */
  const drop = async (dropped: readonly Reference[], session: ClientSession): Promise<void> => {
    if (dropped.length === 0) return;
    await references.deleteMany({ _id: { $in: dropped.map(referenceKey) } }, { session });
    await count(dropped, -1, session);
  };

  return {
    /**
     * Resolves to one category for each entry, in the order sent. Rejects with `validation_failed` for unknown ids,
     * with `category_limit`, and with `overloaded` if too many additions of the company wait.
     */
    acquire: (acquisition: Acquisition, now: number, deadline: number): Promise<AssignedCategory[]> =>
      locks.run(companyLock(acquisition.companyId), deadline - TRANSACTION_MS, () =>
        inTransaction(mongo, deadline, async (session) => {
          const { companyId, jobId, version } = acquisition;
          const found = await findNamed(acquisition, session);
          requireKnown(acquisition, found);
          const made = await create(newNames(acquisition, found), companyId, now, session);
          const known = [...found, ...made];
          const assigned = assign(acquisition, known, made);
          const custom = known.filter((category) => category.companyId !== null);
          const wanted = custom.map(({ id }) => ({ jobId, categoryId: id, version, acquiredAt: now }));
          await add(wanted, session);
          return assigned;
        }),
      ),

    /** What `acquire` would resolve to or reject with. Categories that it would create have ids below 1. */
    preview: async (named: NamedCategories): Promise<AssignedCategory[]> => {
      const { companyId } = named;
      const found = await findNamed(named);
      requireKnown(named, found);
      const newOnes = newNames(named, found);
      if (newOnes.length > 0) await counts.requireRoom(companyId, newOnes.length);
      const made = newOnes.map((name, index) => toCategory(newDocument(-index, name, companyId)));
      return assign(named, [...found, ...made], made);
    },

    /** Resolves to how many references were dropped. */
    release: async (release: Release, deadline: number): Promise<number> => {
      const { jobId } = release;
      // Most jobs have no custom category: spare them the transaction.
      const first = await references.findOne({ jobId }, { categoryId: 1 }).lean();
      if (!first) return 0;
      return locks.run(`release ${first.categoryId}`, deadline - TRANSACTION_MS, () =>
        inTransaction(mongo, deadline, async (session) => {
          const ofJob = await references.find({ jobId }, null, { session }).lean();
          const released = releasedBy(release, ofJob.map(toReference));
          await drop(released, session);
          return released.length;
        }),
      );
    },

    /** Some references to the category, the oldest first. */
    ofCategory: async (categoryId: number, most: number): Promise<Reference[]> => {
      const found = await references.find({ categoryId }).sort({ acquiredAt: 1 }).limit(most).lean();
      return found.map(toReference);
    },

    /** The references to check now, the longest due first. */
    due: async (now: number, most: number): Promise<Reference[]> => {
      const found = await references
        .find({ checkAt: { $lte: new Date(now) } })
        .sort({ checkAt: 1 })
        .limit(most)
        .lean();
      return found.map(toReference);
    },

    /** Drops those that no job has acquired again since they were read. Resolves to how many. */
    dropUnchanged: async (read: readonly Reference[], deadline: number): Promise<number> => {
      if (read.length === 0) return 0;
      const asRead = new Map(read.map((reference) => [referenceKey(reference), reference]));
      return inTransaction(mongo, deadline, async (session) => {
        const stored = await references.find({ _id: { $in: [...asRead.keys()] } }, null, { session }).lean();
        const unchanged = stored.map(toReference).filter((reference) => {
          const { version, acquiredAt } = asRead.get(referenceKey(reference)) ?? {};
          return reference.version === version && reference.acquiredAt === acquiredAt;
        });
        await drop(unchanged, session);
        return unchanged.length;
      });
    },

    /** Postpones the next check of references that jobs have, unless they were acquired again since they were read. */
    confirm: async (held: readonly Reference[], now: number): Promise<void> => {
      if (held.length === 0) return;
      const checkAt = new Date(now + NEXT_CHECK_AFTER_MS);
      const updates = held.map((reference) => ({
        updateOne: {
          filter: { _id: referenceKey(reference), acquiredAt: new Date(reference.acquiredAt) },
          update: { $set: { checkAt } },
        },
      }));
      await references.bulkWrite(updates, { ordered: false });
    },
  };
}

const toReference = ({ jobId, categoryId, version, acquiredAt }: ReferenceDocument): Reference => ({
  jobId,
  categoryId,
  version,
  acquiredAt: acquiredAt.getTime(),
});

/** The highest version stays, so that a stale release cannot drop what a later version has acquired. */
const upsertOf = (reference: Reference) => ({
  updateOne: {
    filter: { _id: referenceKey(reference) },
    update: {
      $setOnInsert: { jobId: reference.jobId, categoryId: reference.categoryId },
      $max: { version: reference.version, acquiredAt: new Date(reference.acquiredAt) },
      $set: { checkAt: new Date(reference.acquiredAt + FIRST_CHECK_AFTER_MS) },
    },
    upsert: true,
  },
});
