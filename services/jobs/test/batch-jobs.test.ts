import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { batchJobs, type BatchedJob, LISTED_AT_MOST } from '@joblisting/contracts';
import { caller, faultsOf, newJob, refusalOf, runJobs, type RunningJobs } from './running-jobs.ts';

let jobs: RunningJobs;
beforeAll(async () => {
  jobs = await runJobs();
});
afterAll(() => jobs.stop());
afterEach(() => {
  jobs.peers.linkFault = () => Promise.resolve();
  jobs.peers.beforeAcquire = () => Promise.resolve();
});

/** Items with categories wait until the call of what is returned. */
function holdAcquisitions(): () => void {
  const held = Promise.withResolvers<void>();
  jobs.peers.beforeAcquire = () => held.promise;
  return () => {
    held.resolve();
    jobs.peers.beforeAcquire = () => Promise.resolve();
  };
}

const item = (referenceId: string, more: Record<string, unknown> = {}) => newJob({ referenceId, ...more });
const statusesOf = (answers: readonly BatchedJob[]) => answers.map(({ status }) => status);
const faultsOfItem = (answer: BatchedJob | undefined) =>
  answer?.error?.errors.map(({ pointer, code }) => [pointer, code]);
const countOf = (filter: object) => jobs.mongo.collection('jobs').countDocuments(filter);

describe('batchJobs', () => {
  it('answers each item as putJob does, in their order', async () => {
    await jobs.put(item('B-1'));
    await jobs.put(item('B-2'));
    const changes = { referenceId: 'B-2', company: { id: 1 }, city: 'Leeds' };
    const { data } = await jobs.batch([item('B-1'), changes, item('B-3'), item('B-4', { title: '' })]);
    expect(data.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(statusesOf(data)).toEqual([200, 200, 201, 422]);
    expect(data.map(({ outcome }) => outcome)).toEqual(['unchanged', 'updated', 'created', 'refused']);
    for (const { data: job } of data.slice(0, 3)) expect((await jobs.get(job?.id ?? 0)).data).toEqual(job);
    expect(data[1]?.data?.city).toBe('Leeds');
    expect(data[3]).toMatchObject({ error: { code: 'validation_failed', title: expect.any(String) } });
  });

  it('takes items of several companies, also with the same referenceId', async () => {
    const { data } = await jobs.batch([item('B-5'), item('B-5', { company: { id: 2 } })]);
    expect(data.map(({ data: job }) => job?.company.id)).toEqual([1, 2]);
  });

  it('gives each item its own warnings, and leaves those of the body', async () => {
    const body = { items: [item('B-6'), item('B-7', { odd: 1, description: 'a < b' })], other: 1 };
    const { data, warnings } = await jobs.bus.request(batchJobs, { body, context: caller() });
    expect(data.map(({ warnings: own }) => own?.map(({ pointer, code }) => [pointer, code]))).toEqual([
      undefined,
      [
        ['#/items/1/odd', 'unknown_field'],
        ['#/items/1/description', 'html_encoded'],
      ],
    ]);
    expect(warnings?.map(({ pointer }) => pointer)).toEqual(['#/other']);
  });

  it('writes nothing in a dry run', async () => {
    const context = caller();
    const { data } = await jobs.batch([item('B-8'), item('B-9', { title: '' })], context, { dryRun: true });
    expect(statusesOf(data)).toEqual([201, 422]);
    expect(data[0]?.data).toMatchObject({ id: 0, referenceId: 'B-8' });
    await expect(countOf({ referenceId: { $in: ['B-8', 'B-9'] } })).resolves.toBe(0);
  });

  it('leaves out jobs that the reply has no room for', async () => {
    const large = [1, 2, 3].map((n) => item(`B-large-${n}`, { description: 'x'.repeat(3_000_000) }));
    for (const each of large) await jobs.put(each);
    const changes = large.map(({ referenceId, company }) => ({ referenceId, company, city: 'Hull' }));
    const { data } = await jobs.batch(changes);
    expect(statusesOf(data)).toEqual([200, 200, 200]);
    expect(data.filter((each) => each.data)).toHaveLength(2);
  });

  it('works at no more than 16 items at once', async () => {
    let running = 0;
    let most = 0;
    jobs.peers.linkFault = async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
    };
    const { data } = await jobs.batch(Array.from({ length: 100 }, (_, n) => item(`B-many-${n}`)));
    expect(new Set(statusesOf(data))).toEqual(new Set([201]));
    expect(most).toBeLessThanOrEqual(16);
  });
});

describe('batchJobs refuses an item by itself', () => {
  it('422 with what putJob lists, by pointers into the body', async () => {
    const bad = { referenceId: 'B-10', company: { id: 1 }, city: 5, categories: [{ id: 1 }, { id: 77 }] };
    const single = faultsOf(await refusalOf(jobs.put(bad)));
    const { data } = await jobs.batch([item('B-11'), bad]);
    expect(statusesOf(data)).toEqual([201, 422]);
    expect(faultsOfItem(data[1])).toEqual(
      single.map(([pointer, code]) => [pointer?.replace('#', '#/items/1'), code]),
    );
  });

  it.each([
    [5, 'type'],
    [null, 'not_null'],
    [[], 'type'],
    ['job', 'type'],
  ])('422 if it is %j', async (bad, code) => {
    const { data } = await jobs.batch([bad, item('B-12')]);
    expect(data[1]?.error).toBeUndefined();
    expect(data[0]).toMatchObject({
      status: 422,
      error: { errors: [{ pointer: '#/items/0', code }] },
    });
  });

  it('422 for all items with the same company and referenceId, which name each other', async () => {
    const { data } = await jobs.batch([item('B-13'), item('B-14'), item('B-13', { title: '' })]);
    expect(statusesOf(data)).toEqual([422, 201, 422]);
    expect(data[0]?.error?.errors).toEqual([
      { pointer: '#/items/0/referenceId', code: 'repeated', detail: 'Item 2 has the same referenceId.' },
    ]);
    expect(faultsOfItem(data[2])).toEqual([
      ['#/items/2/referenceId', 'repeated'],
      ['#/items/2/title', 'too_short'],
    ]);
    await expect(countOf({ referenceId: 'B-13' })).resolves.toBe(0);
  });

  it('403 for a company that is not granted', async () => {
    const { data } = await jobs.batch([item('B-15', { company: { id: 3 } }), item('B-16')]);
    expect(statusesOf(data)).toEqual([403, 201]);
    expect(faultsOfItem(data[0])).toEqual([['#/items/0/company/id', 'not_allowed']]);
  });

  it('400 for a name that it has twice', async () => {
    const twice = JSON.stringify(item('B-17')).replace('{', '{"title":"first",');
    const answer = await sendText(`{"items":[${twice},${JSON.stringify(item('B-18'))}]}`);
    expect(statusesOf(answer)).toEqual([400, 201]);
    expect(answer[0]?.error).toMatchObject({
      code: 'malformed_json',
      errors: [{ pointer: '#/items/0/title', code: 'repeated' }],
    });
  });
});

describe('batchJobs refuses a body', () => {
  it.each([
    ['that is no JSON', '{"items":'],
    ['that is no object', '[]'],
    ['with a name twice outside of items', '{"items":[],"items":[]}'],
  ])('400 %s', async (_what, text) => {
    expect((await refusalOf(sendText(text))).code).toBe('malformed_json');
  });

  it.each([
    ['without items', {}, ['#/items', 'required']],
    ['whose items are no list', { items: {} }, ['#/items', 'type']],
    ['with no item', { items: [] }, ['#/items', 'too_few']],
    ['with 501 items', { items: Array.from({ length: 501 }, () => ({})) }, ['#/items/500', 'too_many']],
  ])('422 %s', async (_what, body, fault) => {
    const refusal = await refusalOf(jobs.bus.request(batchJobs, { body, context: caller() }));
    expect(refusal.code).toBe('validation_failed');
    expect(faultsOf(refusal)).toEqual([fault]);
  });
});

describe('batchJobs without enough time', () => {
  const items = Array.from({ length: 40 }, (_, n) => item(`B-late-${n}`, { categories: [{ id: 1 }] }));

  it('answers 504 for what it had begun, 503 for the others, and finishes when it is sent again', async () => {
    const release = holdAcquisitions();
    const { data } = await jobs.batch(items, caller([1], 1500));
    expect(statusesOf(data)).toEqual(items.map((_, n) => (n < 16 ? 504 : 503)));
    expect(data[39]?.outcome).toBeUndefined();
    expect(data[39]?.error).toMatchObject({ code: 'overloaded', reason: 'deadline' });

    release();
    const again = await jobs.batch(items, caller([1], 20_000));
    expect(again.data.every(({ status }) => status === 200 || status === 201)).toBe(true);
    await expect(countOf({ referenceId: /^B-late-/ })).resolves.toBe(40);
  });
});

describe('batchJobs with an Idempotency-Key', () => {
  const send = (key: string, items: readonly unknown[], limitMs = 5000) =>
    jobs.bus.request(batchJobs, {
      body: { items },
      context: { ...caller([1], limitMs), idempotencyKey: key },
    });

  it('gives the first answer again, refused items included', async () => {
    const items = [item('B-20'), item('B-21', { title: '' })];
    const first = await send('batch-1', items);
    await jobs.put(item('B-20', { title: 'Changed' }));
    const again = await send('batch-1', items);
    expect(again).toEqual({ ...first, replayed: true });
    expect((await jobs.get(first.data[0]?.data?.id ?? 0)).data.title).toBe('Changed');
  });

  it('refuses another batch', async () => {
    await send('batch-2', [item('B-22')]);
    const refusal = await refusalOf(send('batch-2', [item('B-23')]));
    expect(refusal.code).toBe('idempotency_key_reused');
    await expect(countOf({ referenceId: 'B-23' })).resolves.toBe(0);
  });

  it('executes it again if an item was not executed', async () => {
    const release = holdAcquisitions();
    const items = [item('B-24', { categories: [{ id: 1 }] })];
    expect(statusesOf((await send('batch-3', items, 1200)).data)).toEqual([504]);
    release();
    const again = await send('batch-3', items);
    expect([again.replayed, statusesOf(again.data)]).toEqual([undefined, [201]]);
  });

  it('gives one answer when two replicas get it at once', async () => {
    await jobs.addReplica();
    const items = Array.from({ length: 20 }, (_, n) => item(`B-race-${n}`));
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => send('batch-4', items).catch((error: unknown) => error)),
    );
    const data = answers.filter((answer) => !(answer instanceof Error));
    expect(data.length).toBeGreaterThan(0);
    expect(new Set(data.map((answer) => JSON.stringify((answer as { data: unknown }).data))).size).toBe(1);
    await expect(countOf({ referenceId: /^B-race-/ })).resolves.toBe(20);
  });
});

describe('batchJobs with many faults', () => {
  it('lists the first ones of each item', async () => {
    const emails = Array.from({ length: 80 }, () => 'no address');
    const { data } = await jobs.batch([
      item('B-30', { applicationEmails: emails }),
      item('B-31', { title: '' }),
    ]);
    expect(data[0]?.error?.errors).toHaveLength(LISTED_AT_MOST);
    expect(data[1]?.error?.errors).toHaveLength(1);
  });
});

/** Sends a body as it is, and reads the answer. */
async function sendText(text: string): Promise<BatchedJob[]> {
  const reply = await jobs.bus.forward(batchJobs, {}, new TextEncoder().encode(text), caller());
  return JSON.parse(new TextDecoder().decode(reply.data)) as BatchedJob[];
}
