import type { StatusId } from '@joblisting/contracts';
import { expect } from '@jest/globals';
import { inTransaction, type Mongo } from '@joblisting/service-kit';
import { randomFrom } from '@joblisting/testing';
import { listStore, type Page, type PageRequest } from '../src/store/list-store.ts';

export interface Stored {
  readonly _id: number;
  readonly companyId: number;
  readonly statusId: StatusId;
  readonly displayDate: string;
  readonly counted?: StatusId;
  readonly uncounted?: true;
}

interface Tombstone {
  readonly _id: number;
  readonly companyId: number;
  readonly counted?: StatusId;
  readonly uncounted?: true;
}

/** Before every transition. */
const NOW = 0;
let nextId = 1;

/** Stored jobs with the fields that lists read, and the lists of them. */
export function storedLists(mongo: () => Mongo, seed = 7) {
  const { below, pick } = randomFrom(seed);
  const someStatus = () => pick([1, 1, 2, 3, 5] as const);
  const someDay = () => new Date(Date.UTC(2025, 6, 1 + below(400))).toISOString().slice(0, 10);
  const jobs = () => mongo().collection<Stored>('jobs');
  const tombstones = () => mongo().collection<Tombstone>('tombstones');
  const totals = () => mongo().collection<{ _id: number; totals: object }>('list_totals');

  /** Inserts so many jobs of the company. */
  async function fill(companyId: number, many: number, more: Partial<Stored> = {}): Promise<Stored[]> {
    const made = Array.from({ length: many }, () => ({
      _id: nextId++,
      companyId,
      statusId: someStatus(),
      displayDate: someDay(),
      uncounted: true as const,
      ...more,
    }));
    const rest = { title: 'Welder', counts: { view: 0, application: 0, clickThrough: 0 } };
    await jobs().insertMany(made.map((job) => ({ ...job, ...rest })));
    return made;
  }

  /** Changes the status and date of a job. */
  async function move(job: Stored): Promise<Stored> {
    const moved = { statusId: someStatus(), displayDate: someDay(), uncounted: true } as const;
    await jobs().updateOne({ _id: job._id }, { $set: moved });
    return { ...job, ...moved };
  }

  const remove = ({ _id, companyId }: Stored): Promise<void> =>
    inTransaction(mongo(), Date.now() + 20_000, async (session) => {
      const found = await jobs().findOneAndDelete({ _id }, { session });
      const counted = found?.counted && { counted: found.counted };
      await tombstones().insertOne({ _id, companyId, uncounted: true, ...counted }, { session });
    });

  async function pageOf(request: PageRequest): Promise<Page> {
    const page = await listStore(mongo()).page(request, NOW);
    if (!page) throw new Error('a transition is due');
    return page;
  }

  /** Folds all companies. */
  async function foldAll(store = listStore(mongo()), limit = 100): Promise<void> {
    for (let company = await store.nextToFold(0); company; company = await store.nextToFold(0))
      await store.fold(company, limit);
  }

  /** Folds all companies and expects that the stored totals match the jobs. */
  async function expectExactTotals(companyId: number): Promise<void> {
    await foldAll();
    const all = await jobs().find({ companyId }).toArray();
    const actual = new Map(
      [...Map.groupBy(all, ({ statusId }) => statusId)].map(([id, some]) => [id, some.length]),
    );
    const stored: Record<string, number> = { ...(await totals().findOne({ _id: companyId }))?.totals };
    for (const id of [1, 2, 3, 5] as const)
      expect({ companyId, id, jobs: stored[id] ?? 0 }).toEqual({ companyId, id, jobs: actual.get(id) ?? 0 });
    expect(all.every(({ statusId, counted }) => counted === statusId)).toBe(true);
    expect(await tombstones().countDocuments({ companyId, counted: { $exists: true } })).toBe(0);
  }

  return {
    jobs,
    totals,
    fill,
    move,
    remove,
    below,
    pageOf,
    foldAll,
    expectExactTotals,
    total: async (companyId: number, statusId?: StatusId): Promise<number> =>
      (await pageOf({ companyId, statusId, page: 1, pageSize: 1 })).total,
  };
}
