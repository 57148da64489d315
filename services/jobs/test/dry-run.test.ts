import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createJob, type ParamsOf, putJob, updateJob } from '@joblisting/contracts';
import { caller, faultsOf, newJob, refusalOf, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
beforeEach(() => jobs.clock.set(START));

const dryRun = true;
type IfMatch = ParamsOf<typeof updateJob>['ifMatch'];
const create = (body: unknown, context = caller()) =>
  jobs.bus.request(createJob, { params: { dryRun }, body, context });
const update = (id: number, body: unknown, ifMatch?: IfMatch) =>
  jobs.bus.request(updateJob, {
    params: { id, dryRun, ...(ifMatch && { ifMatch }) },
    body,
    context: caller(),
  });
const put = (body: unknown, ifMatch?: IfMatch) =>
  jobs.bus.request(putJob, { params: { dryRun, ...(ifMatch && { ifMatch }) }, body, context: caller() });

/** What this service and its peers store, but for what background tasks write. */
async function stored() {
  const read = (name: string) =>
    jobs.mongo
      .collection(name)
      .find({}, { projection: { counted: 0, uncounted: 0 } })
      .toArray();
  const collections = await Promise.all(['jobs', 'tombstones', 'counters'].map(read));
  const { references, categories, links } = jobs.peers;
  return structuredClone({ collections, references, categories, links });
}

/** Resolves to what the call does. Fails if it stores anything. */
async function storingNothing<T>(call: () => Promise<T>): Promise<T> {
  const before = await stored();
  const requests = jobs.peers.categoryRequests.length;
  try {
    return await call();
  } finally {
    expect(await stored()).toEqual(before);
    expect(jobs.peers.categoryRequests.slice(requests)).not.toContain('acquire');
  }
}

const made = async (more: Record<string, unknown> = {}) => (await jobs.create(newJob(more))).data;
const unknownCategory = { categories: [{ id: 77_777 }] };

describe('createJob › dry run', () => {
  it('answers the job that would be made, without id, version and link', async () => {
    const body = newJob({ referenceId: 'dry', closeDate: '2026-04-01', description: 'a < b', odd: 1 });
    const { outcome, id, version, data, warnings } = await storingNothing(() => create(body));
    expect({ outcome, id, version }).toEqual({ outcome: 'created', id: undefined, version: undefined });
    expect(warnings?.map(({ code }) => code)).toEqual(['unknown_field', 'html_encoded']);
    const real = await jobs.create(body);
    expect(real.warnings).toEqual(warnings);
    expect(data).toEqual({ ...real.data, id: 0, url: 'https://search.example.com/Share/Job0' });
  });

  it('shows categories as they would be, new ones with id 0, each once', async () => {
    const categories = [{ name: 'Fresh' }, { id: 2 }, { name: 'Other' }, { name: 'Fresh' }, { id: 901 }];
    const { data, warnings } = await storingNothing(() => create(newJob({ categories })));
    expect(data.categories).toEqual([
      { id: 0, name: 'Fresh' },
      { id: 2, name: 'Category 2' },
      { id: 0, name: 'Other' },
      { id: 901, name: 'System 901' },
    ]);
    expect(warnings).toEqual([
      {
        code: 'category_created',
        pointer: '#/categories/0/name',
        detail: 'The category "Fresh" does not exist and would be created.',
      },
      expect.objectContaining({ code: 'category_created', pointer: '#/categories/2/name' }),
    ]);
  });

  it('uses up neither an id nor an Idempotency-Key', async () => {
    const before = await made();
    const key = { ...caller(), idempotencyKey: 'dry-run' };
    await create(newJob(), key);
    await create(newJob({ title: 'Other' }), key);
    const after = await jobs.create(newJob(), key);
    expect([after.outcome, after.replayed]).toEqual(['created', undefined]);
    expect(after.data.id).toBe(before.id + 1);
  });

  it('422 with everything that is wrong', async () => {
    const body = newJob({ title: '', applicantRoutingType: { id: 2 }, ...unknownCategory });
    const refusal = await storingNothing(() => refusalOf(create(body)));
    const real = await refusalOf(jobs.create(body));
    expect(faultsOf(refusal)).toEqual(faultsOf(real));
    expect(faultsOf(refusal)).toHaveLength(3);
  });

  it('422 for a category or a company that does not exist', async () => {
    const category = await storingNothing(() => refusalOf(create(newJob(unknownCategory))));
    expect(faultsOf(category)).toEqual([['#/categories/0/id', 'unknown_id']]);
    const body = newJob({ company: { id: 900 } });
    const company = jobs.bus.request(createJob, { params: { dryRun }, body, context: caller([900]) });
    expect(faultsOf(await refusalOf(company))).toEqual([['#/company/id', 'unknown_id']]);
  });

  it('403 for a company that is not granted', async () => {
    const refusal = await storingNothing(() => refusalOf(create(newJob({ company: { id: 5 } }))));
    expect(refusal.code).toBe('company_forbidden');
  });

  it('409 with the holder of the referenceId', async () => {
    const { id } = await made({ referenceId: 'held' });
    const refusal = await storingNothing(() => refusalOf(create(newJob({ referenceId: 'held' }))));
    expect(refusal).toMatchObject({ code: 'reference_id_taken', conflict: { resource: 'job', id } });
  });
});

describe('updateJob › dry run', () => {
  it('answers the changed job without a version', async () => {
    const { id } = await made({ closeDate: '2026-04-01' });
    const changes = { title: 'Fitter', status: { id: 2 }, categories: [{ name: 'Newer' }] };
    const { outcome, version, data, warnings } = await storingNothing(() => update(id, changes));
    expect([outcome, version]).toEqual(['ok', undefined]);
    expect(data).toMatchObject({ id, title: 'Fitter', status: { id: 2 }, closeDate: '2026-03-10' });
    expect(data.categories).toEqual([{ id: 0, name: 'Newer' }]);
    expect(warnings?.map(({ code }) => code)).toEqual(['close_date_changed', 'category_created']);
    expect((await jobs.get(id)).data.title).toBe('Welder');
  });

  it('answers the job as it is where nothing changes', async () => {
    const job = await made();
    expect((await storingNothing(() => update(job.id, { title: 'Welder' }))).data).toEqual(job);
  });

  it('stores no due transition', async () => {
    const { id } = await made({ publishDate: '2026-03-20' });
    const settled = jobs.mongo.collection<{ _id: number }>('jobs');
    await settled.updateOne({ _id: id }, { $unset: { nextTransitionAt: '' } });
    jobs.clock.set('2026-03-25T12:00:00Z');
    const { data } = await storingNothing(() => update(id, { title: 'Fitter' }));
    expect(data).toMatchObject({ title: 'Fitter', status: { id: 1 } });
  });

  it('404, 409, 412 and 422 as the change would be refused', async () => {
    const held = await made({ referenceId: 'held-2' });
    const { id } = await made();
    const refused = (call: Promise<unknown>) => storingNothing(() => refusalOf(call));
    expect(await refused(update(2_000_000, {}))).toMatchObject({ code: 'job_not_found' });
    expect(await refused(update(id, { referenceId: 'held-2' }))).toMatchObject({
      code: 'reference_id_taken',
      conflict: { id: held.id },
    });
    expect(await refused(update(id, {}, { any: false, versions: [7] }))).toMatchObject({
      code: 'version_mismatch',
    });
    const invalid = await refused(update(id, { applicantRoutingType: { id: 2 }, ...unknownCategory }));
    expect(faultsOf(invalid)).toEqual([
      ['#/applicationUrl', 'required'],
      ['#/categories/0/id', 'unknown_id'],
    ]);
    expect(faultsOf(await refused(update(id, unknownCategory)))).toHaveLength(1);
  });
});

describe('putJob › dry run', () => {
  it('answers the job that would be made', async () => {
    const body = newJob({ referenceId: 'put-dry' });
    const { outcome, id, data } = await storingNothing(() => put(body));
    expect([outcome, id, data.id, data.referenceId]).toEqual(['created', undefined, 0, 'put-dry']);
    expect((await jobs.put(body)).outcome).toBe('created');
  });

  it('answers the job that would be changed', async () => {
    const { id } = await made({ referenceId: 'put-change' });
    const changes = { referenceId: 'put-change', company: { id: 1 }, title: 'Fitter' };
    const { outcome, data } = await storingNothing(() => put(changes));
    expect([outcome, data.id, data.title]).toEqual(['ok', id, 'Fitter']);
  });

  it('412 and 422 as the request would be refused', async () => {
    const refused = (call: Promise<unknown>) => storingNothing(() => refusalOf(call));
    const body = { referenceId: 'put-nothing', company: { id: 1 } };
    expect(await refused(put(body, { any: true, versions: [] }))).toMatchObject({ code: 'version_mismatch' });
    expect(faultsOf(await refused(put(body))).map(([pointer]) => pointer)).toContain('#/title');
  });
});
