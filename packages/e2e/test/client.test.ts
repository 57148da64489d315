import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient, JobListingError, type NewJob } from '@joblisting/client';
import { scopes } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { dateIn, newReference, pdf, runProgram, useWorld } from '../src/index.ts';

/** `@joblisting/client` with the running service. */
const world = useWorld();
let keys: { baseUrl: string; consumerKey: string; userKey: string };
let client: Client;

beforeAll(async () => {
  const { origin, operator, userKey } = world;
  keys = { baseUrl: origin, consumerKey: (await operator.consumerKey(scopes)).secret, userKey };
  client = createClient(keys);
});

const job = (more: Partial<NewJob> = {}): NewJob => ({
  company: { id: world.companyId },
  title: 'Gardener',
  publishDate: dateIn(-3),
  description: 'Roses.',
  applicantRoutingType: { id: 1 },
  ...more,
});
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as JobListingError,
  );

/** Loses the answer to the first request, as a connection does that breaks once the service is done. */
function losingFirstAnswer(): typeof fetch {
  let lost = false;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (lost) return response;
    lost = true;
    await response.arrayBuffer();
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
  };
}

describe('jobs', () => {
  it('are created, read, changed and deleted', async () => {
    const created = await client.jobs.create(job({ categories: [{ name: `New ${crypto.randomUUID()}` }] }));
    expect(created).toMatchObject({ status: 201, attempts: 1, data: { title: 'Gardener' } });
    expect(created.warnings).toMatchObject([{ code: 'category_created' }]);
    const { id } = created.data;
    expect(created.location).toMatch(new RegExp(`/v1.0/jobs/${id}$`));
    const read = await client.jobs.get(id);
    expect(read).toMatchObject({ data: created.data, etag: created.etag, warnings: [] });
    const changed = await client.jobs.update(id, { title: 'Florist' });
    expect(changed.data.title).toBe('Florist');
    expect(await client.jobs.delete(id)).toMatchObject({ status: 204, data: undefined, warnings: [] });
    expect(await failureOf(client.jobs.get(id))).toMatchObject({ status: 404, code: 'job_not_found' });
  });

  it('can be sent back as they were read', async () => {
    const { data } = await client.jobs.create(job());
    expect((await client.jobs.create({ ...data, status: { id: 1 } })).data).toMatchObject({
      title: data.title,
      company: data.company,
    });
  });

  it('are put and deleted by reference', async () => {
    const reference = { referenceId: newReference(), company: { id: world.companyId } };
    const first = await client.jobs.putByReference({ ...job(), ...reference });
    const second = await client.jobs.putByReference({ ...reference, title: 'Florist' });
    expect([first.status, second.status, second.data.id]).toEqual([201, 200, first.data.id]);
    await client.jobs.deleteByReference(reference);
    expect(await failureOf(client.jobs.deleteByReference(reference))).toMatchObject({ status: 404 });
  });

  it('obey ifNoneMatch and ifMatch', async () => {
    const { data, etag } = await client.jobs.create(job());
    expect(await client.jobs.get(data.id, { ifNoneMatch: etag })).toMatchObject({
      status: 304,
      data: undefined,
    });
    await client.jobs.update(data.id, { title: 'Florist' }, { ifMatch: etag });
    const late = await failureOf(client.jobs.delete(data.id, { ifMatch: etag }));
    expect(late).toMatchObject({ status: 412 });
    expect(await client.jobs.get(data.id, { ifNoneMatch: etag })).toMatchObject({
      data: { title: 'Florist' },
    });
  });

  it('are listed over all pages, newest first', async () => {
    const { id } = await world.operator.company();
    const own = createClient({ ...keys, userKey: (await world.operator.userKey([id])).secret });
    const ids: number[] = [];
    for (let number = 0; number < 5; number++) {
      ids.push((await own.jobs.create(job({ company: { id }, publishDate: dateIn(number - 9) }))).data.id);
    }
    const listed: number[] = [];
    for await (const header of own.jobs.list({ 'company.id': id, pageSize: 2 })) listed.push(header.id);
    expect(listed).toEqual(ids.toReversed());
    const page = await own.jobs.page({ 'company.id': id, pageSize: 2, page: 3 });
    expect(page).toMatchObject({ paging: { total: 5, page: 3, next: null }, data: [{ id: ids[0] }] });
  });
});

describe('errors', () => {
  it('list everything that is wrong', async () => {
    const error = await failureOf(client.jobs.create(job({ title: '', publishDate: '2026-02-30' })));
    expect(error).toBeInstanceOf(JobListingError);
    expect(error).toMatchObject({ status: 422, code: 'validation_failed', attempts: 1 });
    expect(error?.violations.map(({ pointer }) => pointer)).toEqual(['#/title', '#/publishDate']);
    expect(error?.requestId).toEqual(expect.any(String));
  });

  it('name what stands in the way', async () => {
    const referenceId = newReference();
    const { data } = await client.jobs.create(job({ referenceId }));
    const error = await failureOf(client.jobs.create(job({ referenceId })));
    expect(error).toMatchObject({ status: 409, code: 'reference_id_taken', conflict: { id: data.id } });
  });

  it('tell of refused keys', async () => {
    const error = await failureOf(createClient({ baseUrl: keys.baseUrl }).jobs.get(1));
    expect(error).toMatchObject({ status: 401, code: 'unauthenticated' });
  });
});

describe('a lost answer', () => {
  it('to a POST makes no second job', async () => {
    const referenceId = newReference();
    const lossy = createClient({ ...keys, fetch: losingFirstAnswer() });
    const created = await lossy.jobs.create(job({ referenceId }));
    expect(created).toMatchObject({ status: 201, attempts: 2, data: { referenceId } });
  });

  it('to an application with a file makes no second one', async () => {
    const { data } = await client.jobs.create(job());
    const lossy = createClient({ ...keys, fetch: losingFirstAnswer() });
    const applicant = { name: 'Ada', email: `${crypto.randomUUID()}@example.com` };
    await lossy.applications.create(data.id, { applicant }, [{ name: 'cv.pdf', content: pdf() }]);
    const query = { 'company.id': world.companyId, 'job.id': data.id };
    expect((await client.applications.page(query)).paging.total).toBe(1);
  });
});

describe('applications', () => {
  it('are handed in with files, read, copied and deleted', async () => {
    const { data } = await client.jobs.create(job());
    const applicant = { name: 'Ada Byron', email: `${crypto.randomUUID()}@example.com` };
    const content = pdf('of the client');
    const files = [
      { name: 'cv.pdf', content },
      { name: 'letter.pdf', content: new Blob([pdf('a letter')]) },
    ];
    const created = await client.applications.create(data.id, { applicant }, files, {
      idempotencyKey: newReference(),
    });
    expect(created).toMatchObject({ status: 201, data: { applicant } });
    const { id } = created.data;
    const read = await client.applications.get(id);
    expect(read.data.files).toMatchObject([{ name: 'cv.pdf' }, { name: 'letter.pdf' }]);
    const [fileId = 0] = read.data.files.map((file) => file.id);
    const file = await client.applications.file(id, fileId);
    expect(new Uint8Array(await file.data.arrayBuffer())).toEqual(content);
    expect(file.data.type).toBe('application/pdf');
    const query = { 'company.id': world.companyId, 'job.id': data.id };
    expect(await Array.fromAsync(client.applications.list(query))).toMatchObject([{ id }]);
    expect(await client.applications.queueCopies(id, { to: 'failed' })).toMatchObject({ status: 200 });
    await client.applications.delete(id);
    expect(await failureOf(client.applications.get(id))).toMatchObject({ status: 404 });
  });

  it('of an applicant are erased', async () => {
    const { data } = await client.jobs.create(job());
    const email = `${crypto.randomUUID()}@example.com`;
    await client.applications.create(data.id, { applicant: { name: 'Ada', email } });
    await client.applications.eraseApplicant({ 'company.id': world.companyId, email });
    const query = { 'company.id': world.companyId, 'job.id': data.id };
    expect((await client.applications.page(query)).data).toEqual([]);
  });
});

it('categories are created, read, changed and deleted', async () => {
  const company = { id: world.companyId };
  const { data, etag } = await client.categories.create({ name: `Roses ${crypto.randomUUID()}`, company });
  expect((await client.categories.list({ 'company.id': company.id })).data).toContainEqual(data);
  expect(await client.categories.get(data.id, { ifNoneMatch: etag })).toMatchObject({ status: 304 });
  const name = `Tulips ${crypto.randomUUID()}`;
  expect((await client.categories.update(data.id, { name })).data).toEqual({ ...data, name });
  await client.categories.delete(data.id);
  expect(await failureOf(client.categories.get(data.id))).toMatchObject({ status: 404 });
});

it('metrics count', async () => {
  const { data } = await client.jobs.create(job());
  const event = { id: crypto.randomUUID(), jobId: data.id, type: 'view' } as const;
  expect((await client.metrics.send([event, event])).data).toEqual({
    accepted: 1,
    duplicates: 1,
    rejected: [],
  });
  await waitFor(async () => (await client.jobs.get(data.id)).data.viewCount === 1, { what: 'the count' });
});

it('metrics of a job have rows by day and source', async () => {
  const { data } = await client.jobs.create(job());
  const event = { jobId: data.id, type: 'view' } as const;
  await client.metrics.send([
    { ...event, id: crypto.randomUUID(), source: 'indeed' },
    { ...event, id: crypto.randomUUID() },
  ]);
  const metrics = await client.jobs.metrics(data.id, { from: dateIn(-1), to: dateIn(1) });
  expect(metrics.data).toMatchObject({ counts: { views: 2 }, outside: { views: 0 } });
  expect(metrics.data.series.map(({ source, views }) => [source, views])).toEqual([
    [null, 1],
    ['indeed', 1],
  ]);
});

it('reference data needs no keys', async () => {
  const { referenceData } = createClient({ baseUrl: keys.baseUrl });
  expect((await referenceData.jobTypes()).data).toContainEqual({ id: 1, name: 'Full-time' });
  expect((await referenceData.countries()).data.length).toBeGreaterThan(200);
  const { data } = await referenceData.provinces({ 'country.id': 840 });
  expect(data.map(({ name }) => name)).toContain('California');
});

it('the first lines of its README work', async () => {
  const root = resolve(import.meta.dirname, '../../..');
  const readme = readFileSync(join(root, 'packages/client/README.md'), 'utf8');
  const [, code = ''] = /```ts\n([^`]+)```/.exec(readme) ?? [];
  // Inside the repository, so that the import of the client resolves.
  const directory = mkdtempSync(join(root, '.cache', 'readme-'));
  try {
    mkdirSync(join(directory, '.data'));
    const demo = { ...keys, companies: [{ id: world.companyId, userKey: keys.userKey }] };
    writeFileSync(join(directory, '.data', 'demo.json'), JSON.stringify(demo));
    writeFileSync(join(directory, 'example.mts'), code);
    const { stdout, stderr } = await runProgram(join(directory, 'example.mts'), [], { cwd: directory });
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^created \d+ http[^]*Gardener\n/), '']);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
