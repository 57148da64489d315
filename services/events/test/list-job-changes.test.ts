import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { applicationErased, type JobChange } from '@joblisting/contracts';
import { caller, header, runEvents, type RunningEvents, START } from './running-events.ts';

let events: RunningEvents;
beforeAll(async () => {
  events = await runEvents();
});
afterAll(() => events.stop());

let lastId = 0;
/** A company with jobs of its own. */
function company(jobs: number) {
  const id = ++lastId;
  const ids = Array.from({ length: jobs }, (_, index) => id * 1000 + index + 1);
  for (const jobId of ids) events.stored.set(jobId, header(jobId, { company: { id, name: 'A' } }));
  return { id, ids };
}
const idsOf = (data: readonly JobChange[]) => data.map(({ id }) => id);

/** Reads on from a cursor until there is no more. */
async function follow(companyId: number, after?: string, limit = 2) {
  const all: JobChange[] = [];
  for (let hasMore = true; hasMore;) {
    const page = await events.changes({ 'company.id': companyId, limit, ...(after && { after }) });
    all.push(...page.data);
    after = page.cursor?.next;
    hasMore = page.cursor?.hasMore ?? false;
  }
  return { all, next: after as string };
}

describe('listJobChanges › without a cursor', () => {
  it('has all jobs of the company by id, page by page, also those from before there was a log', async () => {
    const { id, ids } = company(5);
    company(2);
    const { all } = await follow(id);
    expect(idsOf(all)).toEqual(ids);
    expect(all[0]).toEqual(events.stored.get(ids[0] ?? 0));
  });

  it('has no job twice where the last page is full, and ends with a cursor in an empty company', async () => {
    const { id, ids } = company(4);
    expect(idsOf((await follow(id)).all)).toEqual(ids);
    const empty = await events.changes({ 'company.id': company(0).id });
    expect([empty.data, empty.cursor?.hasMore]).toEqual([[], false]);
  });
});

describe('listJobChanges › with a cursor', () => {
  it('has the present state of each job that changed since, and of deleted ones only the id', async () => {
    const { id, ids } = company(3);
    const [first, second] = ids as [number, number];
    const { next } = await follow(id);
    for (const version of [2, 3]) await events.tell('updated', { jobId: first, companyId: id, version });
    await events.tell('deleted', { jobId: second, companyId: id, version: 2 });
    events.stored.set(first, header(first, { title: 'Fitter', version: 3, company: { id, name: 'A' } }));
    events.stored.delete(second);
    await events.logged(3, id);
    const { all, next: end } = await follow(id, next, 10);
    expect(all).toEqual([events.stored.get(first), { id: second, deleted: true }]);
    expect(await follow(id, end)).toEqual({ all: [], next: end });
  });

  it('has a job that was created while the first pages were read, whatever its id', async () => {
    const { id, ids } = company(4);
    const start = await events.changes({ 'company.id': id, limit: 2 });
    const early = id * 1000;
    events.stored.set(early, header(early, { company: { id, name: 'A' } }));
    await events.tell('created', { jobId: early, companyId: id });
    await events.logged(1, id);
    const { all } = await follow(id, start.cursor?.next);
    expect(idsOf([...start.data, ...all])).toEqual([...ids, early]);
  });

  it('passes over events that change no job', async () => {
    const { id } = company(0);
    const { next } = await follow(id);
    const payload = { applicationId: id, jobId: 1, companyId: id, at: START };
    await events.bus.publishEvent(applicationErased, payload, `application:${id}:erased`);
    await events.logged(1, id);
    const { all, next: end } = await follow(id, next);
    expect(all).toEqual([]);
    expect(end).not.toBe(next);
  });

  it('of events is understood too', async () => {
    const { id, ids } = company(1);
    await events.tell('created', { jobId: ids[0] ?? 0, companyId: id });
    await events.logged(1, id);
    const { cursor } = await events.list({ 'company.id': id });
    expect((await follow(id, cursor?.next)).all).toEqual([]);
  });
});

describe('listJobChanges › refusals', () => {
  const refusal = (params: object, context = caller()) =>
    events.changes(params, context).catch((error: unknown) => error);

  it('company_forbidden for a company that the keys do not grant', async () => {
    expect(await refusal({}, caller([2]))).toMatchObject({ code: 'company_forbidden' });
  });

  it('invalid_parameter for a cursor that no answer had', async () => {
    expect(await refusal({ after: 'x' })).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'after', code: 'invalid_value' }],
    });
  });
});
