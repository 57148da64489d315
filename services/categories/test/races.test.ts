import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteCategory, ServiceError } from '@joblisting/contracts';
import { seededRandom } from '@joblisting/testing';
import { collections } from './running-categories.ts';
import { as, client, type Running, runCategories } from './running-categories.ts';

const RACES = 200;
const AT_ONCE = 10;

let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runCategories();
  await running.addReplica();
  api = client(running);
});
afterAll(() => running.stop());

/** Every reference is to a category that is there, and every category counts its references. */
async function expectConsistent() {
  const { categories, references } = collections(running.mongo);
  const counts = new Map<number, number>();
  for (const { categoryId } of await references.find().lean()) {
    counts.set(categoryId, (counts.get(categoryId) ?? 0) + 1);
  }
  const counted = (await categories.find({ references: { $ne: 0 } }).lean()).map(
    ({ _id, references }) => [_id, references] as const,
  );
  expect(new Map(counted)).toEqual(counts);
}

describe('acquireCategories › while the category is deleted', () => {
  it(`lets exactly one of the two win, ${RACES} times, and leaves no job without its category`, async () => {
    const random = seededRandom(1);
    const outcomes = { assigned: 0, deleted: 0 };
    const race = async (jobId: number) => {
      const { id } = await api.create();
      const commit = async () => {
        await api.acquire(jobId, [{ id }, { id: 1 }]);
        running.jobs.held.set(jobId, { version: 1, categoryIds: [id, 1] });
      };
      // Acquisitions wait for each other, so removals get a handicap: else they would win nearly all races.
      const handicap = Math.floor(random() * 20);
      const remove = async () => {
        for (let reads = 0; reads < handicap; reads++) await api.get(id);
        await running.bus.request(deleteCategory, { params: { id }, context: as() });
      };
      const results = await Promise.allSettled([commit(), remove()]);
      const codes = results.flatMap((one) =>
        one.status === 'rejected' ? [(one.reason as ServiceError).code] : [],
      );
      expect([['validation_failed'], ['category_assigned']]).toContainEqual(codes);
      outcomes[codes[0] === 'category_assigned' ? 'assigned' : 'deleted']++;
    };
    for (let from = 0; from < RACES; from += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => race(from + index + 1)));
    }
    const { categories } = collections(running.mongo);
    const needed = [...new Set([...running.jobs.held.values()].flatMap((job) => job.categoryIds))];
    expect(await categories.countDocuments({ _id: { $in: needed } })).toBe(needed.length);
    expect(outcomes.assigned + outcomes.deleted).toBe(RACES);
    await expectConsistent();
  });
});

describe('acquireCategories, releaseCategories and deleteCategory › at once', () => {
  it('keeps the counts equal to the ledger', async () => {
    const random = seededRandom(2);
    const pick = (below: number) => Math.floor(random() * below);
    const names = Array.from({ length: 6 }, (_, index) => `Mixed ${index}`);
    const step = async () => {
      const jobId = 5000 + pick(10);
      const version = 1 + pick(5);
      const name = names[pick(names.length)] ?? '';
      if (random() < 0.5) return api.acquire(jobId, [{ name }, { id: 1 + pick(3) }], { version });
      if (random() < 0.6) return api.release(jobId, version, [1 + pick(3)]);
      const found = await collections(running.mongo).categories.findOne({ name }).lean();
      const id = found?._id ?? 2_000_000_000;
      return running.bus.request(deleteCategory, { params: { id }, context: as() });
    };
    const refused = new Set<string>();
    for (let round = 0; round < 10; round++) {
      const all = await Promise.allSettled(Array.from({ length: 40 }, step));
      for (const one of all) if (one.status === 'rejected') refused.add(one.reason.code);
    }
    expect([...refused].toSorted()).toEqual(['category_assigned', 'category_not_found']);
    await expectConsistent();
  });
});
