import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  applicationReceived,
  categoryRenamed,
  copyFailed,
  listEvents,
  type ParamsOf,
} from '@joblisting/contracts';
import { caller, header, runEvents, type RunningEvents, START } from './running-events.ts';

let events: RunningEvents;
beforeAll(async () => {
  events = await runEvents({ MAX_IN_FLIGHT: '8' });
});
afterAll(() => events.stop());

let lastCompany = 0;
let lastJob = 0;
/** A company of its own for each test, with this many events. */
async function company(count = 0): Promise<number> {
  const companyId = ++lastCompany;
  for (let left = count; left > 0; left--) await events.tell('created', { jobId: ++lastJob, companyId });
  await events.logged(count, companyId);
  return companyId;
}

describe('listEvents › an event', () => {
  it('of a job has its reference, version, status and the names of what changed, and nothing else of it', async () => {
    const companyId = await company();
    await events.tell('updated', {
      jobId: 1001,
      companyId,
      version: 2,
      referenceId: 'welder-1',
      fields: ['title', 'description'],
    });
    expect(await events.logged(1, companyId)).toEqual([
      {
        id: 'job:1001:2',
        seq: 1,
        type: 'job.updated',
        at: '2026-03-10T15:15:00.000Z',
        company: { id: companyId },
        job: { id: 1001, referenceId: 'welder-1', version: 2 },
        data: { status: { id: 1, name: 'Published' }, fields: ['title', 'description'] },
      },
    ]);
  });

  it('of a change by the clock has the reference that the job has now', async () => {
    const companyId = await company();
    const clock = { requestedBy: undefined, referenceId: undefined, statusId: 2 } as object;
    events.stored.set(1002, header(1002, { referenceId: 'welder-2', company: { id: companyId, name: 'A' } }));
    await events.tell('closed', { jobId: 1002, companyId, version: 3, ...clock });
    await events.tell('closed', { jobId: 1003, companyId, version: 3, ...clock });
    const all = await events.logged(2, companyId);
    expect(all.map(({ job }) => job)).toEqual([
      { id: 1002, referenceId: 'welder-2', version: 3 },
      { id: 1003, version: 3 },
    ]);
  });

  it('of an application has its id and its job', async () => {
    const companyId = await company();
    const payload = { applicationId: 7, jobId: 1004, companyId, at: START, source: 'indeed' };
    await events.bus.publishEvent(applicationReceived, payload, 'application:7');
    const [event] = await events.logged(1, companyId);
    expect(event).toMatchObject({ id: 'application:7', type: 'application.received' });
    expect([event?.job, event?.data]).toEqual([{ id: 1004 }, { application: { id: 7 } }]);
  });

  it('of a copy that failed says which one', async () => {
    const companyId = await company();
    const payload = { applicationId: 8, jobId: 1004, companyId, at: START, copy: 1, round: 0 };
    await events.bus.publishEvent(copyFailed, payload, 'application:8:copy:1:0');
    const [event] = await events.logged(1, companyId);
    expect([event?.type, event?.data]).toEqual([
      'application.copy_failed',
      { application: { id: 8, copy: 1 } },
    ]);
  });

  it('of a category has its name', async () => {
    const companyId = await company();
    const payload = { categoryId: 1001, companyId, version: 2, name: 'Joinery', at: START };
    await events.bus.publishEvent(categoryRenamed, payload, 'category:1001:2');
    const [event] = await events.logged(1, companyId);
    expect([event?.type, event?.job, event?.data]).toEqual([
      'category.renamed',
      undefined,
      { category: { id: 1001, name: 'Joinery' } },
    ]);
  });
});

describe('listEvents › pages', () => {
  it('are followed by their cursors, oldest first, without gaps', async () => {
    const companyId = await company(5);
    const pages = [];
    for (let after: string | undefined, hasMore = true; hasMore;) {
      const page = await events.list({ 'company.id': companyId, limit: 2, ...(after && { after }) });
      pages.push(page.data.map(({ seq }) => seq));
      after = page.cursor?.next;
      hasMore = page.cursor?.hasMore ?? false;
    }
    expect(pages).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('have the same cursor again when nothing is new, also in an empty log', async () => {
    const companyId = await company(1);
    const { cursor } = await events.list({ 'company.id': companyId });
    const again = await events.list({ 'company.id': companyId, after: cursor?.next as string });
    expect([again.data, again.cursor]).toEqual([[], { next: cursor?.next, hasMore: false }]);
    const empty = await company();
    const first = await events.list({ 'company.id': empty });
    expect(first.data).toEqual([]);
    await events.tell('created', { jobId: ++lastJob, companyId: empty });
    await events.logged(1, empty);
    const next = await events.list({ 'company.id': empty, after: first.cursor?.next as string });
    expect(next.data.map(({ seq }) => seq)).toEqual([1]);
  });

  it('as NDJSON have an event a line, and the position at the end', async () => {
    const companyId = await company(2);
    const params = { 'company.id': companyId, format: 'ndjson', limit: 1 } as const;
    const reply = await events.bus.forward(listEvents, params, undefined, caller());
    const lines = Buffer.from(reply.data)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(reply.file?.type).toBe('application/x-ndjson');
    expect(lines).toEqual([
      expect.objectContaining({ seq: 1 }),
      { paging: { next: expect.any(String), hasMore: true } },
    ]);
  });
});

describe('listEvents › wait', () => {
  const waiting = async (companyId: number, wait: number) => {
    const { cursor } = await events.list({ 'company.id': companyId });
    const startedAt = performance.now();
    const { data } = await events.list(
      { 'company.id': companyId, after: cursor?.next as string, wait },
      caller(undefined, 30_000),
    );
    return { seqs: data.map(({ seq }) => seq), tookMs: performance.now() - startedAt };
  };

  it('answers as soon as there is an event of the company', async () => {
    const [companyId, other] = [await company(1), await company(1)];
    const answer = waiting(companyId, 20);
    await events.tell('created', { jobId: ++lastJob, companyId: other });
    await events.logged(2, other);
    await events.tell('created', { jobId: ++lastJob, companyId });
    const { seqs, tookMs } = await answer;
    expect(seqs).toEqual([2]);
    expect(tookMs).toBeLessThan(5000);
  });

  it('answers at once when there is one already', async () => {
    const companyId = await company(1);
    const { data } = await events.list({ 'company.id': companyId, wait: 25 });
    expect(data).toHaveLength(1);
  });

  it('answers without events at its end', async () => {
    const { seqs, tookMs } = await waiting(await company(1), 1);
    expect(seqs).toEqual([]);
    expect(tookMs).toBeGreaterThan(950);
  });

  it('answers at once where too many requests wait: half of MAX_IN_FLIGHT', async () => {
    const companyId = await company(1);
    const answers = Array.from({ length: 6 }, () => waiting(companyId, 3));
    const tookMs = (await Promise.all(answers)).map((answer) => answer.tookMs);
    expect(tookMs.filter((ms) => ms < 1500)).toHaveLength(2);
  });

  it('answers when its replica stops', async () => {
    const own = await runEvents();
    try {
      const answer = own.list({ wait: 25 }, caller(undefined, 30_000));
      const { cursor } = await own.list();
      await own.stopReplicas();
      expect((await answer).cursor).toEqual(cursor);
    } finally {
      await own.stop();
    }
  });
});

describe('listEvents › refusals', () => {
  const refusal = async (params: Partial<ParamsOf<typeof listEvents>>, context = caller()) =>
    events.list(params, context).catch((error: unknown) => error);

  it('company_forbidden for a company that the keys do not grant', async () => {
    expect(await refusal({}, caller([2]))).toMatchObject({
      code: 'company_forbidden',
      errors: [{ parameter: 'company.id', code: 'not_allowed' }],
    });
  });

  it.each([
    ['no cursor', 'x'],
    ['no cursor', Buffer.from('1.2.3.4').toString('base64url')],
    ['one of another company', Buffer.from('2.0').toString('base64url')],
    ['one from the middle of a reading of all jobs', Buffer.from('1.0.5').toString('base64url')],
  ])('invalid_parameter for %s: %j', async (_what, after) => {
    expect(await refusal({ after })).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'after', code: 'invalid_value' }],
    });
  });

  it('cursor_expired for a cursor from after the end of the log, as after a restored backup', async () => {
    const companyId = await company(1);
    const after = Buffer.from(`${companyId}.2`).toString('base64url');
    expect(await refusal({ 'company.id': companyId, after })).toMatchObject({
      code: 'cursor_expired',
      snapshot: { companyId },
    });
  });
});
