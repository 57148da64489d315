import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { referencesOf } from './peers.ts';
import { caller, faultsOf, newJob, refusalOf, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
beforeEach(() => {
  jobs.clock.set(START);
  jobs.peers.beforeAcquire = () => Promise.resolve();
});

const made = async (more: object = {}) => (await jobs.create(newJob({ ...more }))).data;

describe('updateJob changes', () => {
  it('only what is sent, one version up', async () => {
    const before = await made({ city: 'Leeds', closeDate: '2026-06-01' });
    const { data, version, outcome } = await jobs.update(before.id, { title: 'Senior welder' });
    expect({ version, outcome }).toEqual({ version: 2, outcome: 'ok' });
    expect(data).toEqual({ ...before, title: 'Senior welder' });
    expect((await jobs.get(before.id)).data).toEqual(data);
  });

  it('nothing, and no version, where what was read is sent back', async () => {
    const before = await made({
      categories: [{ id: 1 }],
      province: { country: { id: 826 } },
      types: [{ id: 2 }],
    });
    const { data, version, warnings } = await jobs.update(before.id, before);
    expect({ data, version, warnings }).toEqual({ data: before, version: 1, warnings: [] });
  });

  it('the status for good, with a warning for the date it changed', async () => {
    const { id } = await made();
    const closed = await jobs.update(id, { status: { id: 2 } });
    expect(closed.data).toMatchObject({
      status: { id: 2 },
      closeDate: '2026-03-10',
      displayDate: '2026-03-10',
    });
    expect(closed.warnings).toMatchObject([{ code: 'close_date_changed', pointer: '#/closeDate' }]);
    const again = await jobs.update(id, { status: { id: 1 } });
    expect(again.data).toMatchObject({ status: { id: 1 }, closeDate: null });
    expect(again.version).toBe(3);
  });

  it('a job that the clock has overtaken, after its transitions', async () => {
    const { id } = await made({ publishDate: '2026-03-20', closeDate: '2026-03-25' });
    jobs.clock.set('2026-03-22T00:00:00Z');
    expect(await jobs.update(id, { title: 'Late' })).toMatchObject({
      version: 3,
      data: { status: { id: 1 } },
    });
  });

  it('the referenceId, which is free again afterwards', async () => {
    const { id } = await made({ referenceId: 'old' });
    expect((await jobs.update(id, { referenceId: 'new' })).data.referenceId).toBe('new');
    expect((await jobs.update(id, { referenceId: null })).data.referenceId).toBeNull();
    await made({ referenceId: 'old' });
    await made({ referenceId: 'new' });
  });
});

describe('updateJob with categories', () => {
  it('counts new ones before, and releases dropped ones after', async () => {
    const { id } = await made({ categories: [{ id: 1 }, { id: 2 }] });
    const { data } = await jobs.update(id, { categories: [{ id: 2 }, { name: 'Category 3' }] });
    expect(data.categories.map((category) => category.id)).toEqual([2, 3]);
    expect(referencesOf(jobs.peers, id)).toEqual([2, 3]);
    await jobs.update(id, { categories: null });
    expect(referencesOf(jobs.peers, id)).toEqual([]);
  });

  it('sends no request for categories that the job has', async () => {
    const { id } = await made({ categories: [{ id: 1 }, { id: 2 }] });
    jobs.peers.beforeAcquire = () => Promise.reject(new Error('asked'));
    const { data } = await jobs.update(id, { categories: [{ id: 2 }, { id: 1 }, { id: 2 }] });
    expect(data.categories.map((category) => category.id)).toEqual([2, 1]);
    expect((await jobs.update(id, { categories: [{ id: 1 }] })).version).toBe(3);
    expect(referencesOf(jobs.peers, id)).toEqual([1]);
  });

  it('decides anew, and leaves no reference behind, when another write comes between', async () => {
    const named = { referenceId: 'between', company: { id: 1 } };
    const { id } = await made({ ...named, categories: [{ id: 1 }] });
    jobs.peers.beforeAcquire = async () => {
      jobs.peers.beforeAcquire = () => Promise.resolve();
      await jobs.put({ ...named, title: 'In between', categories: [{ id: 1 }, { id: 5 }] });
    };
    const { data, version, warnings } = await jobs.update(id, { categories: [{ name: `New with ${id}` }] });
    expect(data.title).toBe('In between');
    expect(version).toBe(3);
    expect(warnings).toMatchObject([{ code: 'category_created' }]);
    expect(referencesOf(jobs.peers, id)).toEqual([data.categories[0]?.id]);
  });

  it('refuses an unknown one by its pointer', async () => {
    const { id } = await made();
    const refusal = await refusalOf(jobs.update(id, { categories: [{ id: 1 }, { id: 88 }] }));
    expect(faultsOf(refusal)).toEqual([['#/categories/1/id', 'unknown_id']]);
  });
});

describe('updateJob under concurrency', () => {
  it('loses no change', async () => {
    const { id } = await made();
    const bodies = [{ title: 'A' }, { city: 'B' }, { employer: 'C' }, { closeDate: '2026-09-01' }];
    await Promise.all(bodies.map((body) => jobs.update(id, body)));
    expect(await jobs.get(id)).toMatchObject({
      version: 5,
      data: { title: 'A', city: 'B', employer: 'C', closeDate: '2026-09-01' },
    });
  });

  it('accepts and keeps sixty changes of one job at once', async () => {
    const { id } = await made();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => jobs.update(id, { title: `T${n}` }, caller([1], 20_000))),
    );
    const versions = answers.map(({ version }) => version ?? 0).toSorted((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: 60 }, (_, n) => n + 2));
    const last = answers.find(({ version }) => version === 61);
    expect((await jobs.get(id)).data).toEqual(last?.data);
  });

  it('lets one of many writers with the same If-Match through', async () => {
    const { id } = await made();
    const ifMatch = { any: false, versions: [1] };
    const writes = Array.from({ length: 20 }, (_, n) =>
      jobs.update(id, { title: `T${n}` }, caller(), ifMatch),
    );
    const answers = await Promise.allSettled(writes);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await jobs.get(id)).version).toBe(2);
  });
});

describe('updateJob refuses', () => {
  it('a version that the job no longer has, and accepts any with *', async () => {
    const { id } = await made();
    const stale = await refusalOf(jobs.update(id, { title: 'x' }, caller(), { any: false, versions: [7] }));
    expect(stale.code).toBe('version_mismatch');
    expect(faultsOf(stale)).toEqual([['If-Match', 'mismatch']]);
    expect((await jobs.update(id, { title: 'x' }, caller(), { any: true, versions: [] })).version).toBe(2);
  });

  it('the shape before it looks the job up, the rules after the merge', async () => {
    const missing = 2_000_000_000;
    expect(faultsOf(await refusalOf(jobs.update(missing, { title: '', city: 5 })))).toEqual([
      ['#/city', 'type'],
      ['#/title', 'too_short'],
    ]);
    expect((await refusalOf(jobs.update(missing, { types: [{ id: 99 }] }))).code).toBe('job_not_found');
    const { id } = await made();
    const refusal = await refusalOf(
      jobs.update(id, { types: [{ id: 99 }], applicantRoutingType: { id: 2 } }),
    );
    expect(faultsOf(refusal)).toEqual([
      ['#/types/0/id', 'unknown_id'],
      ['#/applicationUrl', 'required'],
    ]);
  });

  it('another company: 403 where it is not granted, 422 where it is', async () => {
    const { id } = await made();
    expect((await refusalOf(jobs.update(id, { company: { id: 3 } }))).code).toBe('company_forbidden');
    const refusal = await refusalOf(jobs.update(id, { company: { id: 2 } }));
    expect(faultsOf(refusal)).toEqual([['#/company/id', 'immutable']]);
    expect((await jobs.update(id, { company: { id: 1 } })).version).toBe(1);
  });

  it("another company's job", async () => {
    const { id } = await made();
    expect((await refusalOf(jobs.update(id, { title: 'x' }, caller([2])))).code).toBe('job_not_found');
  });

  it('a referenceId that another job has', async () => {
    const other = await made({ referenceId: 'taken' });
    const { id } = await made();
    const refusal = await refusalOf(jobs.update(id, { referenceId: 'taken' }));
    expect(refusal).toMatchObject({
      code: 'reference_id_taken',
      conflict: { resource: 'job', id: other.id },
    });
  });

  it('a referenceId that another job has before any category is counted or made', async () => {
    await made({ referenceId: 'taken too' });
    const { id } = await made({ categories: [{ id: 1 }] });
    const body = { referenceId: 'taken too', categories: [{ id: 2 }, { name: `Not made for ${id}` }] };
    expect((await refusalOf(jobs.update(id, body))).code).toBe('reference_id_taken');
    expect(referencesOf(jobs.peers, id)).toEqual([1]);
    const names = [...jobs.peers.categories.values()].map(({ name }) => name);
    expect(names).not.toContain(`Not made for ${id}`);
  });

  it('status 3 on a job that is not Pending', async () => {
    const { id } = await made();
    expect(faultsOf(await refusalOf(jobs.update(id, { status: { id: 3 } })))).toEqual([
      ['#/status/id', 'not_allowed'],
    ]);
  });
});
