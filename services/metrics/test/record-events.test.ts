import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deadlineExceeded, overloaded, recordEvents } from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { seenEventModel } from '../src/models/seen-event.ts';
import { allowed, countedOf, type RunningMetrics, runMetrics, send, view } from './running-metrics.ts';

let metrics: RunningMetrics;
beforeAll(async () => {
  metrics = await runMetrics();
  metrics.jobs.existing.add(1).add(2);
  await metrics.addReplica();
});
afterAll(() => metrics.stop());

const totalsOf = async (jobId: number) => (await countedOf(metrics.mongo)).get(jobId);
const ndjson = (text: string, context = allowed()) =>
  metrics.bus.forward(recordEvents, { format: 'ndjson' }, new TextEncoder().encode(text), context);

describe('recordEvents', () => {
  it('counts by job and type', async () => {
    const receipt = await send(metrics.bus, [
      { id: 'a1', jobId: 1, type: 'view' },
      { id: 'a2', jobId: 1, type: 'view', at: '2026-03-01T12:00:00Z' },
      { id: 'a3', jobId: 1, type: 'application' },
      { id: 'a4', jobId: 2, type: 'clickThrough' },
    ]);
    expect(receipt).toEqual({ accepted: 4, duplicates: 0, rejected: [] });
    expect(await totalsOf(1)).toMatchObject({ view: 2, application: 1, clickThrough: 0 });
    expect(await totalsOf(2)).toMatchObject({ view: 0, application: 0, clickThrough: 1 });
  });

  it('counts an id once, in a batch and later, whatever its job and type', async () => {
    expect(await send(metrics.bus, [view('b1', 2), view('b1', 2), view('b2', 2)])).toEqual({
      accepted: 2,
      duplicates: 1,
      rejected: [],
    });
    expect(await send(metrics.bus, [{ id: 'b1', jobId: 1, type: 'application' }, view('b3', 2)])).toEqual({
      accepted: 1,
      duplicates: 1,
      rejected: [],
    });
  });

  it('counts the id of another consumer', async () => {
    const events = [view('own', 2)];
    const sendAs = async (consumerId: number) => {
      const context = allowed();
      const principal = { ...context.principal, consumerId };
      return (
        await metrics.bus.request(recordEvents, { body: { events }, context: { ...context, principal } })
      ).data;
    };
    expect(await sendAs(1)).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await sendAs(2)).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await sendAs(1)).toMatchObject({ accepted: 0, duplicates: 1 });
  });

  it('rejects the events of jobs that do not exist, and those only', async () => {
    const events = [view('c1', 99), view('c2', 1), view('c3', -5), view('c1', 1)];
    expect(await send(metrics.bus, events)).toEqual({
      accepted: 2,
      duplicates: 0,
      rejected: [
        { index: 0, code: 'unknown_job', detail: 'Job 99 does not exist.' },
        { index: 2, code: 'unknown_job', detail: 'Job -5 does not exist.' },
      ],
    });
    expect(await totalsOf(99)).toBeUndefined();
  });

  it('rejects the events of a job as soon as it is deleted', async () => {
    metrics.jobs.existing.add(7);
    expect(await send(metrics.bus, [view('d1', 7)])).toMatchObject({ accepted: 1 });
    metrics.jobs.existing.delete(7);
    expect(await send(metrics.bus, [view('d2', 7)])).toMatchObject({ accepted: 0, rejected: [{ index: 0 }] });
  });

  it('reads NDJSON', async () => {
    const lines = ['a', 'b', 'c'].map((id) => JSON.stringify(view(`e-${id}`)));
    const reply = await ndjson(`\n${lines.join('\r\n\n')}\n`);
    expect(JSON.parse(Buffer.from(reply.data).toString())).toEqual({
      accepted: 3,
      duplicates: 0,
      rejected: [],
    });
  });

  it('rejects each event that breaks the schema, and counts the others', async () => {
    const events = [
      { id: 'g0', jobId: '1', type: 'look' },
      view('g1'),
      view('g2', 99),
      'g3',
      { ...view('g4'), at: 'yesterday' },
      view('g5'),
    ];
    const receipt = await send(metrics.bus, events);
    expect(receipt).toMatchObject({ accepted: 2, duplicates: 0 });
    expect(receipt.rejected.map(({ index, code, pointer }) => [index, code, pointer])).toEqual([
      [0, 'invalid_event', '#/events/0/jobId'],
      [2, 'unknown_job', undefined],
      [3, 'invalid_event', '#/events/3'],
      [4, 'invalid_event', '#/events/4/at'],
    ]);
    expect(receipt.rejected[0]?.detail).toBe(
      'events[0].jobId must be an integer. events[0].type must be one of view, application, clickThrough.',
    );
    const ids = await seenEventModel(metrics.mongo).find({ _id: /:g\d$/ }, { _id: 1 }).lean();
    expect(ids.map(({ _id }) => _id).toSorted()).toEqual(['consumer 1:g1', 'consumer 1:g5']);
  });

  it('does not use up the id of a rejected event', async () => {
    const broken = { ...view('m1'), jobId: '1' };
    expect(await send(metrics.bus, [broken, view('m1')])).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await send(metrics.bus, [broken, view('m1')])).toMatchObject({ accepted: 0, duplicates: 1 });
  });

  it('answers a batch without a valid event', async () => {
    expect(await send(metrics.bus, [5, {}])).toMatchObject({
      accepted: 0,
      duplicates: 0,
      rejected: [{ index: 0 }, { index: 1 }],
    });
  });

  it('rejects a line that is not JSON, and counts the others', async () => {
    const reply = await ndjson(`${JSON.stringify(view('f1'))}\n{"id":\n\n${JSON.stringify(view('f2'))}`);
    expect(reply.warnings).toEqual([]);
    expect(JSON.parse(Buffer.from(reply.data).toString())).toEqual({
      accepted: 2,
      duplicates: 0,
      rejected: [
        {
          index: 1,
          code: 'invalid_event',
          pointer: '#/events/1',
          detail: expect.stringMatching(/^Line 2 is not valid JSON/),
        },
      ],
    });
  });

  it.each([
    ['no list', {}, '#/events'],
    ['something else in its place', { events: { 0: view('h') } }, '#/events'],
    ['null', { events: null }, '#/events'],
  ])('refuses a body with %s', async (_what, body, pointer) => {
    const attempt = metrics.bus.request(recordEvents, { body, context: allowed() });
    await expect(attempt).rejects.toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
  });

  it.each([
    [0, 'too_few'],
    [1001, 'too_many'],
  ])('refuses a batch of %d events', async (size, code) => {
    const events: unknown[] = Array.from({ length: size }, (_, index) => view(`h${index}`));
    if (size > 0) events[0] = 5;
    await expect(send(metrics.bus, events)).rejects.toMatchObject({ errors: [{ code }] });
  });

  it('takes a batch of 1000 events', async () => {
    const events = Array.from({ length: 1000 }, (_, index) => view(`i${index}`));
    expect(await send(metrics.bus, events)).toMatchObject({ accepted: 1000 });
  });

  it.each([[undefined], [{ consumerId: 1, scopes: ['jobs:write' as const], userId: 1, companyIds: [1] }]])(
    'refuses a caller without the scope: %j',
    async (principal) => {
      const context = { ...ownCall(5000), principal };
      const attempt = metrics.bus.request(recordEvents, { body: { events: [view('j1')] }, context });
      await expect(attempt).rejects.toMatchObject({ code: 'scope_missing' });
    },
  );

  it.each([
    ['unavailable', 'service_concurrency', overloaded('service_concurrency')],
    ['unavailable', 'deadline', deadlineExceeded()],
    ['internal', undefined, new TypeError('a fault of jobs')],
  ])('rejects with %s (%s) when the look-up of jobs fails with it', async (code, reason, error) => {
    const events = [view(`l-${reason}`)];
    metrics.jobs.faults.lookUp = error;
    await expect(send(metrics.bus, events)).rejects.toMatchObject({ code, reason });
    metrics.jobs.faults.lookUp = undefined;
    expect(await send(metrics.bus, events)).toMatchObject({ duplicates: 0 });
  });

  it('refuses with 503 and counts nothing while jobs is unavailable', async () => {
    await metrics.jobs.leave();
    await expect(send(metrics.bus, [view('k1')])).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'no_responder',
      retryAfterSeconds: 1,
    });
    await metrics.jobs.join();
    expect(await send(metrics.bus, [view('k1')])).toMatchObject({ accepted: 1 });
  });
});
