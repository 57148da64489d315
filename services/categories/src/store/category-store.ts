import { foldName, nameKey } from '@joblisting/contracts';
import { inTransaction, type KeptAnswer, type Mongo, type Mutex, type NextId } from '@joblisting/service-kit';
import type { keptAnswersIn } from '@joblisting/service-kit/mongo';
import type { ClientSession } from 'mongoose';
import { type Category, LAST_SYSTEM_ID } from '../domain/category.ts';
import { type CategoryDocument, categoryModel } from '../models/category.ts';
import { tombstoneModel } from '../models/tombstone.ts';
import type { CustomCounts } from './custom-counts.ts';
import { nameStore } from './names.ts';

/** A transaction needs this much time before the deadline. Later calls are rejected instead of started. */
export const TRANSACTION_MS = 100;

/** The category that has the name now. `isTaken`: it had the name before this call. */
interface AddResult {
  readonly category: Category;
  readonly isTaken: boolean;
}

interface CreateOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly deadline: number;
  /** The answer to keep, for a request with an Idempotency-Key. */
  readonly keep: ((created: Category) => KeptAnswer) | undefined;
}

/** A tombstone outlasts the time for which a relay may be stopped and a stream keeps its event. */
const TOMBSTONE_KEPT_MS = 30 * 24 * 3600_000;

/** What both stores that add custom categories share. */
export interface CustomDeps {
  readonly nextCustomId: NextId;
  readonly counts: CustomCounts;
  /** Additions of a company write the same count. Without locks their transactions would conflict and retry. */
  readonly locks: Mutex;
}

export const companyLock = (companyId: number): string => `company ${companyId}`;

export type CategoryStore = ReturnType<typeof categoryStore>;

/** Reads, additions and removals of categories. Deadlines are in epoch ms. */
export function categoryStore(
  mongo: Mongo,
  { nextCustomId, counts, locks }: CustomDeps,
  answers: ReturnType<typeof keptAnswersIn>,
) {
  const categories = categoryModel(mongo);
  const tombstones = tombstoneModel(mongo);
  const names = nameStore(mongo);

  const insert = async (document: CategoryDocument, session: ClientSession): Promise<Category> => {
    await categories.insertMany([document], { session, lean: true });
    return toCategory(document);
  };

  return {
    find: async (id: number): Promise<Category | undefined> => {
      const found = await categories.findOne({ _id: id }).lean();
      return found ? toCategory(found) : undefined;
    },

    /** The system categories, and the company's if one is given, by id. */
    list: async (companyId?: number): Promise<Category[]> => {
      const owners = companyId === undefined ? [null] : [null, companyId];
      const found = await categories
        .find({ companyId: { $in: owners } })
        .sort({ _id: 1 })
        .lean();
      return found.map(toCategory);
    },

    /**
     * Rejects with `category_limit`, with `idempotency_key_in_flight` if the name was free and another replica has
     * answered the key, and with `overloaded` if too many additions of the company wait.
     */
    create: (companyId: number, name: string, { now, deadline, keep }: CreateOptions): Promise<AddResult> =>
      locks.run(companyLock(companyId), deadline - TRANSACTION_MS, () =>
        inTransaction(mongo, deadline, async (session) => {
          const namesakes = { nameKey: nameKey(name), companyId: { $in: [null, companyId] } };
          const holder = await categories.findOne(namesakes, null, { session }).lean();
          if (holder) return { category: toCategory(holder), isTaken: true };
          await counts.add(companyId, 1, session);
          await names.takeForCompany(namesakes.nameKey, session);
          const category = await insert(newCustom(await nextCustomId(), name, companyId, now), session);
          if (keep) await answers.insertUnlessAnswered(keep(category), session);
          return { category, isTaken: false };
        }),
      ),

    /**
     * Adds a system category under `wantedId`, or else the next free id. No company may have the name, because it would
     * name two categories there. `idTaken` and `full` change nothing.
     */
    addSystem: (
      name: string,
      wantedId: number | undefined,
      deadline: number,
    ): Promise<AddResult | 'idTaken' | 'full'> =>
      inTransaction(mongo, deadline, async (session) => {
        const last = await categories
          .findOne({ companyId: null }, { _id: 1 }, { session, sort: { _id: -1 } })
          .lean();
        const document = newDocument(wantedId ?? (last?._id ?? 0) + 1, name, null);
        const holder = await categories.findOne({ nameKey: document.nameKey }, null, { session }).lean();
        if (holder) return { category: toCategory(holder), isTaken: true };
        if (document._id > LAST_SYSTEM_ID) return 'full';
        if (await categories.findOne({ _id: document._id }, { _id: 1 }, { session }).lean()) return 'idTaken';
        await names.takeForSystem(document.nameKey, document._id, session);
        return { category: await insert(document, session), isTaken: false };
      }),

    /**
     * Removes a custom category without references. An acquisition writes the same document, so one of the two waits.
     */
    remove: (id: number, now: number, deadline: number): Promise<'removed' | 'assigned' | 'not_found'> =>
      inTransaction(mongo, deadline, async (session) => {
        const unreferenced = { _id: id, companyId: { $ne: null }, references: 0 };
        const removed = await categories.findOneAndDelete(unreferenced, { session }).lean();
        if (removed) {
          await names.releaseForCompany(removed.nameKey, session);
          const { companyId, version, name } = removed;
          if (typeof companyId === 'number') {
            await counts.remove(companyId, session);
            const deletion = {
              kind: 'deleted',
              companyId,
              version: version + 1,
              name,
              at: new Date(now),
            } as const;
            // By the machine's time, because MongoDB uses its own, and the service's clock can be moved.
            const expireAt = new Date(Date.now() + TOMBSTONE_KEPT_MS);
            await tombstones.insertMany([{ _id: id, change: deletion, expireAt }], { session, lean: true });
          }
          return 'removed';
        }
        return (await categories.findOne({ _id: id }, { _id: 1 }, { session }).lean())
          ? 'assigned'
          : 'not_found';
      }),
  };
}

export const toCategory = (document: CategoryDocument): Category => ({
  id: document._id,
  name: document.name,
  companyId: document.companyId ?? null,
  version: document.version,
  renamedAt: document.renaming?.startedAt.getTime(),
});

export const newDocument = (id: number, name: string, companyId: number | null): CategoryDocument => ({
  _id: id,
  name: foldName(name),
  nameKey: nameKey(name),
  companyId,
  version: 1,
  references: 0,
});

/** The document of a new custom category, with the change that its event tells. */
export function newCustom(id: number, name: string, companyId: number, now: number): CategoryDocument {
  const document = newDocument(id, name, companyId);
  const { version, name: stored } = document;
  return { ...document, change: { kind: 'created', companyId, version, name: stored, at: new Date(now) } };
}
