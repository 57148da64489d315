import { beforeAll, describe, expect, it } from '@jest/globals';
import { databaseOf } from '@joblisting/service-kit';
import { listStore, type PageRequest } from '../src/store/list-store.ts';
import { jobsDatabase } from './jobs-database.ts';
import { type Stored, storedLists } from './stored-lists.ts';

const { mongo } = jobsDatabase('list-pages');
const { jobs, fill, move, remove, pageOf, foldAll } = storedLists(mongo);

const inOrder = (stored: readonly Stored[]) =>
  stored
    .toSorted((a, b) => b.displayDate.localeCompare(a.displayDate) || b._id - a._id)
    .map(({ _id }) => _id);

/** Every page of a list, and one more. */
async function allPages(companyId: number, statusId: PageRequest['statusId'], pageSize: number) {
  const ids: number[] = [];
  const seen = new Set<number>();
  for (let page = 1; ; page++) {
    const answer = await pageOf({ companyId, statusId, page, pageSize });
    seen.add(answer.total);
    ids.push(...answer.jobs.map(({ id }) => id));
    if (answer.jobs.length === 0) return { ids, totals: [...seen] };
  }
}

describe('pages of a list', () => {
  const LARGE = 10;
  let all: Stored[];

  beforeAll(async () => {
    // Most on days of their own, many on one day, so that pages begin and end inside it.
    all = [...(await fill(LARGE, 1300)), ...(await fill(LARGE, 1100, { displayDate: '2026-02-03' }))];
  });

  describe.each(['not folded', 'folded', 'changed since they were folded'])(
    'of jobs that are %s',
    (state) => {
      beforeAll(async () => {
        if (state !== 'not folded') await foldAll();
        if (state !== 'changed since they were folded') return;
        all.push(...(await fill(LARGE, 300)));
        for (const job of all.splice(500, 60)) await remove(job);
        for (const job of all.splice(2500, 60)) all.push(await move(job));
      });

      it.each([
        [undefined, 1000],
        [undefined, 333],
        [undefined, 97],
        [1, 250],
        [2, 41],
      ] as const)('(status %s, page size %d) hold each once and in order', async (statusId, pageSize) => {
        const expected = inOrder(all.filter((job) => statusId === undefined || job.statusId === statusId));
        const found = await allPages(LARGE, statusId, pageSize);
        expect(found).toEqual({ ids: expected, totals: [expected.length] });
      });
    },
  );

  it('are empty where they start exactly at the end, near the front and far down', async () => {
    await fill(11, 1200);
    for (const pageSize of [1200, 300, 200])
      expect(
        await pageOf({ companyId: 11, statusId: undefined, page: 1200 / pageSize + 1, pageSize }),
      ).toEqual({
        total: 1200,
        jobs: [],
      });
  });
});

describe('the database reads', () => {
  interface Read {
    readonly docsExamined: number;
    readonly keysExamined: number;
  }

  /** What it read for each statement, in order. */
  async function readsOf(statements: () => Promise<unknown>): Promise<Read[]> {
    const database = databaseOf(mongo());
    await database.command({ profile: 2 });
    await statements();
    await database.command({ profile: 0 });
    const profile = database.collection<Read>('system.profile');
    const reads = await profile.find({ docsExamined: { $exists: true } }).toArray();
    await profile.drop();
    return reads;
  }

  beforeAll(async () => {
    await fill(50, 2500);
    await foldAll();
  });

  it('nothing to see that nothing is to be folded', async () => {
    const [read, ...others] = await readsOf(() => listStore(mongo()).nextToFold(0));
    expect(others).toEqual([]);
    expect(read).toMatchObject({ docsExamined: 0, keysExamined: 0 });
  });

  it('only the index for jobs that are not folded, in one statement with a page near the front', async () => {
    await jobs().updateMany({ companyId: 50 }, { $set: { uncounted: true } });
    const [read, ...others] = await readsOf(() =>
      pageOf({ companyId: 50, statusId: undefined, page: 1, pageSize: 50 }),
    );
    expect(others).toEqual([]);
    expect(read?.docsExamined).toBeLessThanOrEqual(51);
    await foldAll();
  });

  it('as much for the last page as for the first, in two statements', async () => {
    const reads = await readsOf(() => pageOf({ companyId: 50, statusId: undefined, page: 50, pageSize: 50 }));
    expect(reads).toHaveLength(2);
    expect(reads[1]?.keysExamined).toBeLessThanOrEqual(51);
  });
});
