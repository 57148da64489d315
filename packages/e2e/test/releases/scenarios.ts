import { expect } from '@jest/globals';
import { getCategory, listJobTypes, metricsReported } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { type Answer, createClient, jobBody, newReference, type World } from '../../src/index.ts';

/** What clients do in each combination of releases. Later runs use the data of earlier ones. */
export type Scenarios = Awaited<ReturnType<typeof createScenarios>>;

interface CreatedJob {
  readonly path: string;
  /** The job in its last answer. */
  readonly data: Record<string, unknown>;
  /** The request that created it, and the answer. */
  readonly key: string;
  readonly body: object;
  readonly answer: Answer;
}

const newName = () => `Category ${crypto.randomUUID()}`;
const codesOf = ({ json }: Answer) => json.warnings.map(({ code }: { code: string }) => code);

export async function createScenarios(world: World) {
  const { api, companyId, operator } = world;
  const scopes = ['jobs:read', 'metrics:write'] as const;
  const site = createClient(world.origin, { consumer: (await operator.consumerKey(scopes)).secret });
  const createdJobs: CreatedJob[] = [];
  /** Paths of the jobs that the next fleet closes and deletes. */
  let toChange: string[] = [];
  const get = async (path: string) => (await api.get(path)).json.data;
  const newJob = async (more: object = {}) =>
    (await api.post('/jobs', jobBody(companyId, { ...more }))).json.data;

  const changeJob = async () => {
    const referenceId = newReference();
    const put = await api.put(
      '/jobs',
      jobBody(companyId, { referenceId, categories: [{ name: newName() }] }),
    );
    expect([put.status, codesOf(put)]).toEqual([201, ['category_created']]);
    const path = `/jobs/${put.json.data.id}`;
    const read = await api.get(path);
    expect(read.json).toEqual({ data: put.json.data, warnings: [] });
    expect(put.headers.get('location')).toBe(`${world.origin}/v1.0${path}`);

    const list = await api.get(`/jobs?company.id=${companyId}&status.id=1&pageSize=1000`);
    const header = list.json.data.find(({ id }: { id: number }) => id === put.json.data.id);
    expect(put.json.data).toMatchObject(header);
    expect(list.json.paging.total).toBe(list.json.data.length);

    const tag = { headers: { 'If-Match': read.headers.get('etag') ?? '' } };
    const closed = await api.put(path, { status: { id: 2 } }, tag);
    expect([closed.status, closed.json.data.status]).toEqual([200, { id: 2, name: 'Closed' }]);
    expect((await api.put(path, { title: 'Late' }, tag)).json.code).toBe('version_mismatch');

    const override = { headers: { 'X-HTTP-Method-Override': 'DELETE' } };
    const deleted = await api.post('/jobs', { referenceId, company: { id: companyId } }, override);
    expect([deleted.status, (await api.get(path)).json.code]).toEqual([204, 'job_not_found']);
  };

  const renameCategory = async () => {
    const company = { id: companyId };
    const { status, json } = await api.post('/jobcategories', { name: newName(), company });
    expect(status).toBe(201);
    const path = `/jobcategories/${json.data.id}`;
    const job = await newJob({ categories: [{ id: json.data.id }, { id: 1 }] });
    const name = newName();
    expect((await api.put(path, { name })).json.data).toEqual({ id: json.data.id, name, company });
    const shown = async () => JSON.stringify(await get(`/jobs/${job.id}`)).includes(name);
    await waitFor(shown, { what: 'the new name on the job' });
    expect((await api.delete(path)).json.code).toBe('category_assigned');
    const listed = await get(`/jobcategories?company.id=${companyId}&active`);
    expect(listed).toContainEqual({ id: json.data.id, name, company });
  };

  const countMetrics = async () => {
    const { id } = await newJob();
    const event = { id: crypto.randomUUID(), jobId: id, type: 'view' as const };
    const first = await site.post('/metrics/events', { events: [event] });
    expect(first.json.data).toEqual({ accepted: 1, duplicates: 0, rejected: [] });
    const events = [{ ...event, id: crypto.randomUUID() }];
    for (const messageId of [crypto.randomUUID(), crypto.randomUUID()])
      await operator.bus.publishEvent(metricsReported, { events }, messageId);
    const views = async () => (await get(`/jobs/${id}`)).viewCount;
    await waitFor(async () => (await views()) >= 2, { what: 'the second view' });
    const again = await site.post('/metrics/events', { events: [event] });
    expect(again.json.data).toEqual({ accepted: 0, duplicates: 1, rejected: [] });
    expect(await views()).toBe(2);
  };

  const repeatRequests = async () => {
    const key = crypto.randomUUID();
    const body = jobBody(companyId);
    const answer = await api.post('/jobs', body, { headers: { 'Idempotency-Key': key } });
    expect(answer.status).toBe(201);
    createdJobs.push({ path: `/jobs/${answer.json.data.id}`, data: answer.json.data, key, body, answer });
    for (const each of createdJobs) {
      const again = await api.post('/jobs', each.body, { headers: { 'Idempotency-Key': each.key } });
      expect([again.status, again.text]).toEqual([201, each.answer.text]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    const reused = await api.post(
      '/jobs',
      { ...body, title: 'Other' },
      { headers: { 'Idempotency-Key': key } },
    );
    expect([reused.status, reused.json.code]).toEqual([422, 'idempotency_key_reused']);
  };

  const checkErrors = async () => {
    const { title: _, ...body } = jobBody(companyId, { categories: [{ id: 999_999 }], closeDate: 'soon' });
    const invalid = await api.post('/jobs', body);
    const pointers = invalid.json.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect([invalid.status, invalid.json.code]).toEqual([422, 'validation_failed']);
    expect(pointers.toSorted()).toEqual(['#/categories/0/id', '#/closeDate', '#/title']);

    const referenceId = newReference();
    const { id } = await newJob({ referenceId });
    const conflict = await api.post('/jobs', jobBody(companyId, { referenceId }));
    expect([conflict.status, conflict.json.code, conflict.json.conflict.id]).toEqual([
      409,
      'reference_id_taken',
      id,
    ]);
    const foreign = await world.otherApi.get(`/jobs/${id}`);
    expect([foreign.status, foreign.json.code]).toEqual([404, 'job_not_found']);
    expect((await world.anonymous.get(`/jobs/${id}`)).json.code).toBe('unauthenticated');
  };

  const sendUnknownFields = async () => {
    const sent = jobBody(companyId, { tomorrow: { is: [1] }, company: { id: companyId, tomorrow: 1 } });
    const answer = await api.post('/jobs?tomorrow=1', sent, { headers: { 'From-Tomorrow': 'yes' } });
    expect([answer.status, new Set(codesOf(answer))]).toEqual([201, new Set(['unknown_field'])]);
    const context = () => ({ requestId: 'tomorrow', deadline: Date.now() + 5000 });
    const params = { id: 1, tomorrow: { is: 'another day' } };
    const category = await operator.bus.request(getCategory, { params, body: undefined, context: context() });
    expect(category.data.id).toBe(1);
    const types = await operator.bus.request(listJobTypes, { params, body: undefined, context: context() });
    expect(types.data).toContainEqual({ id: 1, name: 'Full-time' });
  };

  const changeEarlierJobs = async () => {
    for (const [index, each] of createdJobs.entries()) {
      const { url, ...data } = each.data;
      const now = await get(each.path);
      expect(now).toMatchObject(data);
      expect(typeof url).toBe('string');
      const title = `Title ${crypto.randomUUID()}`;
      const changed = await api.put(each.path, { title });
      expect([changed.status, changed.json.data]).toEqual([200, { ...now, title }]);
      createdJobs[index] = { ...each, data: changed.json.data };
    }
  };

  /** Compares the stored total, in a page of one job, with the length of the whole list. */
  const isTotalRight = async (status: string): Promise<boolean> => {
    const list = (pageSize: number) => api.get(`/jobs?company.id=${companyId}${status}&pageSize=${pageSize}`);
    const [all, first] = await Promise.all([list(1000), list(1)]);
    return first.json.paging.total === all.json.data.length;
  };

  const checkTotals = async () => {
    const [closed, deleted] = toChange;
    if (closed) expect((await api.put(closed, { status: { id: 2 } })).status).toBe(200);
    if (deleted) expect((await api.delete(deleted)).status).toBe(204);
    toChange = [await newJob(), await newJob()].map(({ id }) => `/jobs/${id}`);
    for (const status of ['', '&status.id=1', '&status.id=2'])
      await waitFor(() => isTotalRight(status), {
        what: `the right total of a list ${status}`,
        limitMs: 60_000,
        everyMs: 200,
      });
  };

  return {
    createdJobs,
    changeJob,
    renameCategory,
    countMetrics,
    repeatRequests,
    checkErrors,
    sendUnknownFields,
    changeEarlierJobs,
    checkTotals,
  };
}
