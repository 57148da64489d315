import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acquireForMany, type BodyOf } from '@joblisting/contracts';
import {
  as,
  client,
  COMPANY,
  newName,
  OTHER_COMPANY,
  type Running,
  runCategories,
} from './running-categories.ts';

type Acquisitions = BodyOf<typeof acquireForMany>['acquisitions'];

let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runCategories();
  api = client(running);
});
afterAll(() => running.stop());

const acquisition = (jobId: number, categories: Acquisitions[number]['categories'], companyId = COMPANY) => ({
  jobId,
  companyId,
  version: 1,
  categories,
});
const acquireAll = async (acquisitions: Acquisitions) =>
  (await running.bus.request(acquireForMany, { body: { acquisitions }, context: as([]) })).data.outcomes;

describe('acquireForMany', () => {
  it('counts a reference of each job, and makes a name once', async () => {
    const { id } = await api.create();
    const name = newName();
    const jobIds = Array.from({ length: 100 }, (_, index) => index + 1);
    const outcomes = await acquireAll(jobIds.map((jobId) => acquisition(jobId, [{ id }, { name }])));
    expect(outcomes).toHaveLength(100);
    expect(await api.references(id)).toEqual({ counted: 100, written: 100 });
    const made = outcomes.map(({ categories }) => categories?.[1]);
    expect(made.filter((one) => one?.created)).toHaveLength(1);
    expect(new Set(made.map((one) => one?.id)).size).toBe(1);
    expect(await api.references(made[0]?.id ?? 0)).toEqual({ counted: 100, written: 100 });
  });

  it('refuses each for itself, with the pointers of its own', async () => {
    const { id } = await api.create();
    const foreign = await api.create(newName(), OTHER_COMPANY);
    const outcomes = await acquireAll([
      acquisition(201, [{ id }, { id: foreign.id }]),
      acquisition(202, [{ id }]),
      acquisition(203, [{ id: foreign.id }], OTHER_COMPANY),
    ]);
    expect(outcomes).toMatchObject([
      {
        error: { code: 'validation_failed', errors: [{ pointer: '#/categories/1/id', code: 'unknown_id' }] },
      },
      { categories: [{ id }] },
      { categories: [{ id: foreign.id }] },
    ]);
    expect(await api.references(id)).toEqual({ counted: 1, written: 1 });
  });

  it.each([
    ['none at all', []],
    ['more than a hundred', Array.from({ length: 101 }, (_, index) => acquisition(index + 1, []))],
    ['what is no acquisition', [acquisition(1, [{ id: { $gt: 0 } as unknown as number }])]],
  ])('refuses %s', async (_what, acquisitions) => {
    await expect(acquireAll(acquisitions)).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
