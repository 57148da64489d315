import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acquireCategories } from '@joblisting/contracts';
import { acceptWrites, whileLocked, refuseWrites } from './faults.ts';
import {
  as,
  client,
  COMPANY,
  newName,
  OTHER_COMPANY,
  type Running,
  runCategories,
} from './running-categories.ts';

let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runCategories();
  api = client(running);
});
afterAll(() => running.stop());

describe('acquireCategories › by id', () => {
  it('counts a reference on a custom category, and none on a system one', async () => {
    const custom = await api.create();
    expect(await api.acquire(1, [{ id: custom.id }, { id: 5 }])).toEqual([
      { id: custom.id, name: custom.name, version: 1, created: false },
      { id: 5, name: 'Construction', version: 1, created: false },
    ]);
    expect(await api.references(custom.id)).toEqual({ counted: 1, written: 1 });
    expect(await api.references(5)).toEqual({ counted: 0, written: 0 });
  });

  it('counts one reference however often the job acquires it', async () => {
    const { id } = await api.create();
    await api.acquire(2, [{ id }]);
    await api.acquire(2, [{ id }]);
    await api.acquire(2, [{ id }], { version: 2 });
    expect(await api.references(id)).toEqual({ counted: 1, written: 1 });
  });

  it('counts repeated entries once and answers each', async () => {
    const { id, name } = await api.create();
    const assigned = await api.acquire(3, [{ id }, { name: name.toUpperCase() }, { id, name: 'ignored' }]);
    expect(assigned.map((entry) => entry.id)).toEqual([id, id, id]);
    expect(await api.references(id)).toEqual({ counted: 1, written: 1 });
  });

  it('answers an empty list with an empty list', async () => {
    expect(await api.acquire(4, [])).toEqual([]);
  });
});

describe('acquireCategories › by name', () => {
  it('finds a system category, then one of the company, in any case', async () => {
    const { id, name } = await api.create();
    const [system, custom] = await api.acquire(10, [
      { name: ' health   CARE' },
      { name: name.toUpperCase() },
    ]);
    expect(system).toEqual({ id: 10, name: 'Health Care', version: 1, created: false });
    expect(custom).toEqual({ id, name, version: 1, created: false });
  });

  it('creates a custom category from a new name, folded', async () => {
    const name = newName();
    const [first, second] = await api.acquire(11, [{ name: ` ${name}  x ` }, { name: `${name} X` }]);
    expect(first).toEqual({ id: expect.any(Number), name: `${name} x`, version: 1, created: true });
    expect(second).toEqual({ ...first, created: false });
    expect(first?.id).toBeGreaterThanOrEqual(1000);
    expect(await api.get(first?.id ?? 0)).toEqual({
      id: first?.id,
      name: `${name} x`,
      company: { id: COMPANY },
    });
  });

  it("does not find another company's category", async () => {
    const { id, name } = await api.create(newName(), OTHER_COMPANY);
    const [own] = await api.acquire(12, [{ name }]);
    expect(own).toMatchObject({ name, created: true });
    expect(own?.id).not.toBe(id);
  });
});

describe('acquireCategories › validation_failed', () => {
  it('lists each unknown id and each entry without id and name, and counts nothing', async () => {
    const foreign = await api.create(newName(), OTHER_COMPANY);
    const own = await api.create();
    const name = newName();
    const wanted = [{ id: own.id }, { id: foreign.id }, { name }, { id: 2_000_000_000 }, {}];
    await expect(api.acquire(20, wanted)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [
        { pointer: '#/categories/1/id', code: 'unknown_id' },
        { pointer: '#/categories/3/id', code: 'unknown_id' },
        { pointer: '#/categories/4', code: 'required' },
      ],
    });
    expect(await api.references(own.id)).toEqual({ counted: 0, written: 0 });
    const [made] = await api.acquire(21, [{ name }]);
    expect(made?.created).toBe(true);
  });

  it.each([
    ['six entries', Array.from({ length: 6 }, (_, index) => ({ id: index + 1 })), '#/categories/5'],
    ['a blank name', [{ name: ' ' }], '#/categories/0/name'],
    ['a long name', [{ name: 'x'.repeat(51) }], '#/categories/0/name'],
    ['an operator for an id', [{ id: { $gt: 0 } as unknown as number }], '#/categories/0/id'],
  ])('for %s', async (_what, wanted, pointer) => {
    await expect(api.acquire(22, wanted)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer }],
    });
  });
});

describe('acquireCategories › many at once on two replicas', () => {
  beforeAll(async () => void (await running.addReplica()));

  it('counts every reference to one category', async () => {
    const { id } = await api.create();
    await Promise.all(Array.from({ length: 200 }, (_, job) => api.acquire(1000 + job, [{ id }, { id: 1 }])));
    expect(await api.references(id)).toEqual({ counted: 200, written: 200 });
  });

  it('creates one category from one new name', async () => {
    const name = newName();
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, job) => api.acquire(2000 + job, [{ name }])),
    );
    expect(new Set(all.map(([entry]) => entry?.id)).size).toBe(1);
    expect(all.filter(([entry]) => entry?.created)).toHaveLength(1);
    expect(await api.references(all[0]?.[0]?.id ?? 0)).toEqual({ counted: 100, written: 100 });
  });

  it('refuses each for itself', async () => {
    const { id } = await api.create();
    const all = await Promise.allSettled(
      Array.from({ length: 40 }, (_, job) =>
        api.acquire(3000 + job, [{ id: job % 2 === 0 ? id : 1_999_999 }]),
      ),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect(await api.references(id)).toEqual({ counted: 20, written: 20 });
  });

  it('counts once each the jobs that have a reference and those that do not', async () => {
    const { id } = await api.create();
    await api.acquire(3500, [{ id }]);
    await Promise.all(Array.from({ length: 20 }, (_, job) => api.acquire(3500 + job, [{ id }])));
    expect(await api.references(id)).toEqual({ counted: 20, written: 20 });
  });

  it('keeps the highest version of one job', async () => {
    const { id } = await api.create();
    await Promise.all([1, 2, 3, 4].map((version) => api.acquire(4000, [{ id }], { version })));
    expect(await api.release(4000, 3)).toBe(0);
    expect(await api.release(4000, 4)).toBe(1);
  });

  it('releases every reference', async () => {
    const { id } = await api.create();
    await Promise.all(Array.from({ length: 200 }, (_, job) => api.acquire(4500 + job, [{ id }])));
    await Promise.all(Array.from({ length: 200 }, (_, job) => api.release(4500 + job, 1)));
    expect(await api.references(id)).toEqual({ counted: 0, written: 0 });
  });
});

describe('acquireCategories › internal, when the database refuses the write', () => {
  it('counts nothing, and does not block later requests', async () => {
    const { id } = await api.create();
    const acquire = (job: number) => api.acquire(5000 + job, [{ id }]);
    await refuseWrites(running.mongo);
    const failed = await Promise.allSettled(Array.from({ length: 20 }, (_, job) => acquire(job)));
    await acceptWrites(running.mongo);
    const codes = failed.map((one) => (one.status === 'rejected' ? one.reason.code : 'acquired'));
    expect(new Set(codes)).toEqual(new Set(['internal']));
    expect(await api.references(id)).toEqual({ counted: 0, written: 0 });
    await acquire(0);
    expect(await api.references(id)).toEqual({ counted: 1, written: 1 });
  });
});

describe('acquireCategories › a category that another transaction writes', () => {
  it('waits until the deadline, and no longer', async () => {
    const { id } = await api.create();
    const acquired = await whileLocked(running.mongo, id, async () => {
      const body = { companyId: COMPANY, jobId: 6000, version: 1, categories: [{ id }] };
      const impatient = running.bus.request(acquireCategories, { body, context: as([], 200) });
      const patient = [1, 2, 3].map((job) => api.acquire(6000 + job, [{ id }]));
      await expect(impatient).rejects.toMatchObject({ code: 'deadline_exceeded' });
      return patient;
    });
    expect((await Promise.all(acquired)).flat().map((entry) => entry.id)).toEqual([id, id, id]);
    const { counted, written } = await api.references(id);
    expect(counted).toBe(written);
  });

  it('overloaded (contention) when the lock of the company is not free in time', async () => {
    const { id } = await api.create();
    const first = await whileLocked(running.mongo, id, async () => {
      const patient = api.acquire(6100, [{ id }]);
      await running.bus.flush();
      const body = { companyId: COMPANY, jobId: 6101, version: 1, categories: [{ id: 1 }] };
      // Two replicas share these requests. The replica without the patient request is not blocked and answers.
      const impatient = Array.from({ length: 20 }, () =>
        running.bus.request(acquireCategories, { body, context: as([], 400) }),
      );
      const refused = (await Promise.allSettled(impatient)).filter(({ status }) => status === 'rejected');
      expect(refused).not.toEqual([]);
      for (const one of refused)
        expect(one).toMatchObject({ reason: { code: 'overloaded', reason: 'contention' } });
      return { patient };
    });
    expect((await first.patient).map((entry) => entry.id)).toEqual([id]);
  });

  it('does not block another company', async () => {
    const { id } = await api.create();
    const other = await api.create(newName(), OTHER_COMPANY);
    const first = await whileLocked(running.mongo, id, async () => {
      const waiting = Array.from({ length: 20 }, (_, job) => api.acquire(6200 + job, [{ id }]));
      await running.bus.flush();
      await api.acquire(6300, [{ id: other.id }], { companyId: OTHER_COMPANY });
      expect(await api.references(id)).toEqual({ counted: 0, written: 0 });
      return { waiting };
    });
    await Promise.all(first.waiting);
  });
});
