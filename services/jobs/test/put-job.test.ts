import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { referencesOf } from './peers.ts';
import { caller, faultsOf, newJob, refusalOf, runJobs, type RunningJobs } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());

describe('putJob', () => {
  it('creates the job, then changes it', async () => {
    const created = await jobs.put(newJob({ referenceId: 'P-1' }));
    expect(created).toMatchObject({ outcome: 'created', version: 1, data: { referenceId: 'P-1' } });
    const changed = await jobs.put({ referenceId: 'P-1', company: { id: 1 }, city: 'Leeds' });
    expect(changed).toMatchObject({ outcome: 'ok', version: 2, data: { ...created.data, city: 'Leeds' } });
  });

  it('changes nothing when the same body is sent again', async () => {
    const body = newJob({ referenceId: 'P-2', description: 'a < b', categories: [{ name: 'Category 1' }] });
    const first = await jobs.put(body);
    const second = await jobs.put(body);
    expect(second).toMatchObject({ outcome: 'ok', version: 1, data: first.data });
  });

  it('compares a referenceId exactly as it is sent, without Unicode normalization', async () => {
    const first = await jobs.put(newJob({ referenceId: 'Pé-3' }));
    const second = await jobs.put(newJob({ referenceId: 'Pe\u0301-3' }));
    expect(second.outcome).toBe('created');
    expect(second.data.id).not.toBe(first.data.id);
  });

  it('changes the right job when similar references of two companies are sent at once', async () => {
    const named = [1, 2].flatMap((id) =>
      ['a', 'a/b', '2/a'].map((referenceId) => ({ referenceId, company: { id } })),
    );
    const context = caller([1, 2]);
    const put = (which: (typeof named)[number], fields: object) => jobs.put({ ...which, ...fields }, context);
    const made = await Promise.all(named.map((which) => put(which, newJob(which))));
    const changed = await Promise.all(named.map((which, n) => put(which, { city: `City ${n}` })));
    expect(made.map(({ outcome }) => outcome)).toEqual(named.map(() => 'created'));
    expect(changed.map(({ data: { id, city } }) => [id, city])).toEqual(
      made.map(({ data: { id } }, n) => [id, `City ${n}`]),
    );
  });

  it('creates one job when many send a new one at once', async () => {
    const writes = Array.from({ length: 100 }, (_, n) =>
      jobs.put(newJob({ referenceId: 'P-4', title: `T${n}`, categories: [{ id: 4 }] }), caller([1], 20_000)),
    );
    const done = await Promise.all(writes);
    expect(done.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect(done.filter(({ outcome }) => outcome === 'ok')).toHaveLength(99);
    expect(new Set(done.map(({ data }) => data.id)).size).toBe(1);
    const counted = [...jobs.peers.references.keys()].filter((id) => referencesOf(jobs.peers, id).length > 0);
    expect(counted).toContain(done[0]?.data.id);
    await expect(jobs.mongo.collection('jobs').countDocuments({ referenceId: 'P-4' })).resolves.toBe(1);
  });
});

describe('putJob beside updateJob, on two replicas', () => {
  it('makes one job and takes every change', async () => {
    await jobs.addReplica();
    const named = { referenceId: 'P-10', company: { id: 1 } };
    const context = () => caller([1], 20_000);
    const puts = await Promise.all(
      Array.from({ length: 50 }, (_, n) => jobs.put(newJob({ ...named, title: `T${n}` }), context())),
    );
    expect(puts.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    const id = puts[0]?.data.id ?? 0;
    const before = (await jobs.get(id)).version ?? 0;
    const changes = Array.from({ length: 30 }, (_, n) => [
      jobs.put({ ...named, city: `C${n}` }, context()),
      jobs.update(id, { employer: `E${n}` }, context()),
    ]);
    const versions = (await Promise.all(changes.flat())).map(({ version }) => version);
    expect(new Set(versions).size).toBe(60);
    expect((await jobs.get(id)).version).toBe(before + 60);
  });
});

describe('putJob refuses', () => {
  it('a body without referenceId or company', async () => {
    expect(faultsOf(await refusalOf(jobs.put({ title: 'x' })))).toEqual([
      ['#/referenceId', 'required'],
      ['#/company', 'required'],
    ]);
  });

  it('to create what lacks a property, with the broken rules', async () => {
    const body = {
      referenceId: 'P-5',
      company: { id: 1 },
      applicantRoutingType: { id: 2 },
      types: [{ id: 99 }],
    };
    expect(faultsOf(await refusalOf(jobs.put(body)))).toEqual([
      ['#/title', 'required'],
      ['#/publishDate', 'required'],
      ['#/description', 'required'],
      ['#/types/0/id', 'unknown_id'],
      ['#/applicationUrl', 'required'],
    ]);
  });

  it('to create what breaks its shape, with what is missing, the rules and the categories', async () => {
    const body = {
      referenceId: 'P-11',
      company: { id: 1 },
      city: 5,
      types: [{ id: 99 }],
      categories: [{ id: 1 }, { id: 77 }],
    };
    expect(faultsOf(await refusalOf(jobs.put(body)))).toEqual([
      ['#/city', 'type'],
      ['#/title', 'required'],
      ['#/publishDate', 'required'],
      ['#/description', 'required'],
      ['#/applicantRoutingType', 'required'],
      ['#/types/0/id', 'unknown_id'],
      ['#/categories/1/id', 'unknown_id'],
    ]);
  });

  it('to change a job by a body that breaks its shape, by that alone', async () => {
    const named = { referenceId: 'P-12', company: { id: 1 } };
    await jobs.put(newJob(named));
    const body = { ...named, city: 5, types: [{ id: 99 }] };
    expect(faultsOf(await refusalOf(jobs.put(body)))).toEqual([['#/city', 'type']]);
  });

  it.each([
    ['without a whole company', { referenceId: 'P-13', company: {}, city: 5 }, ['#/company/id', 'required']],
    [
      'without a sound referenceId',
      { referenceId: '', company: { id: 1 }, city: 5 },
      ['#/referenceId', 'too_short'],
    ],
  ])('a body of broken shape %s', async (_what, body, fault) => {
    const faults = faultsOf(await refusalOf(jobs.put(body)));
    expect(faults).toHaveLength(2);
    expect(faults).toContainEqual(['#/city', 'type']);
    expect(faults).toContainEqual(fault);
  });

  it('a body of broken shape before the company', async () => {
    const body = newJob({ referenceId: 'P-8', company: { id: 3 }, city: 5 });
    expect(faultsOf(await refusalOf(jobs.put(body)))).toEqual([['#/city', 'type']]);
  });

  it('to create under If-Match', async () => {
    const any = { any: true, versions: [] };
    expect((await refusalOf(jobs.put(newJob({ referenceId: 'P-6' }), caller(), any))).code).toBe(
      'version_mismatch',
    );
  });

  it('a version that the job no longer has', async () => {
    await jobs.put(newJob({ referenceId: 'P-7' }));
    const stale = { any: false, versions: [2] };
    const body = newJob({ referenceId: 'P-7', title: 'x' });
    expect((await refusalOf(jobs.put(body, caller(), stale))).code).toBe('version_mismatch');
  });

  it('a company that is not granted', async () => {
    const body = newJob({ referenceId: 'P-8', company: { id: 3 } });
    expect((await refusalOf(jobs.put(body))).code).toBe('company_forbidden');
  });
});
