import { ServiceError } from '@joblisting/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { expectReplayed, idOf, type KeyedJobs, newKey, runKeyedJobs } from './keyed-requests.ts';
import { caller, newJob, refusalOf, START } from './running-jobs.ts';

let jobs: KeyedJobs;
beforeAll(async () => {
  jobs = await runKeyedJobs();
});
afterAll(() => jobs.stop());
afterEach(() => {
  jobs.peers.beforeAcquire = () => Promise.resolve();
});

describe('requests with one Idempotency-Key at once', () => {
  it.each([
    ['plain ones', {}],
    ['those with a referenceId', { referenceId: 'I-1' }],
    ['those with new categories', { categories: [{ name: 'Glass' }, { id: 2 }, { name: 'Stone' }] }],
    ['those with both', { referenceId: 'I-2', categories: [{ name: 'Wood' }] }],
  ])('make one job: %s', async (title, more) => {
    const key = newKey();
    const body = newJob({ title, odd: true, ...more });
    const sent = await Promise.allSettled(Array.from({ length: 30 }, () => jobs.send(key, body)));
    const answers = sent.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const refusals = sent.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    const codes = new Set(refusals.map((error: ServiceError) => error.code));
    expect([[], ['idempotency_key_in_flight']]).toContainEqual([...codes]);

    const [first, ...others] = answers.filter(({ replayed }) => !replayed);
    if (!first) throw new Error('no request made the job');
    expect(others).toEqual([]);
    expect(first).toMatchObject({ outcome: 'created', id: idOf(first), version: 1 });
    expect(await jobs.idsOf(title)).toEqual([first.id]);
    for (const answer of answers) if (answer !== first) expectReplayed(answer, first);
    for (let again = 0; again < 5; again++) await jobs.expectReplay(first, key, body);
    expect(await jobs.strays()).toEqual([]);
  });
});

describe('requests with one Idempotency-Key in two processes', () => {
  /**
   * Sends a request that has looked for its answer and now waits for its categories. `first` is the answer to another
   * request with the key, which the other process handles meanwhile.
   */
  const race = async (key: string, slowBody: unknown, body: unknown) => {
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    jobs.peers.beforeAcquire = () => {
      jobs.peers.beforeAcquire = () => Promise.resolve();
      reached.resolve();
      return gate.promise;
    };
    const slow = jobs.send(key, slowBody, caller(undefined, 20_000));
    await reached.promise;
    const first = await waitFor(() => jobs.send(key, body), { what: 'the other process to take it' });
    expect(first.replayed).toBeUndefined();
    return {
      first,
      finish: () => {
        gate.resolve();
        return slow;
      },
    };
  };

  it.each([
    ['a plain job', {}],
    ['a job with a referenceId', { referenceId: 'R-1' }],
  ])('both give the answer of the one that was faster: %s', async (title, more) => {
    const key = newKey();
    const body = newJob({ title, categories: [{ name: `Category of ${title}` }], ...more });
    const { first, finish } = await race(key, body, body);
    expectReplayed(await finish(), first);
    expect(await jobs.idsOf(title)).toEqual([first.id]);
    expect(await jobs.strays()).toEqual([]);
  });

  it.each([
    ['a plain deleted job', {}],
    ['a deleted job with a referenceId', { referenceId: 'R-2' }],
  ])('both give that answer, and no job stays, if its job was deleted since: %s', async (title, more) => {
    const key = newKey();
    const body = newJob({ title, categories: [{ name: `Category of ${title}` }], ...more });
    const { first, finish } = await race(key, body, body);
    await jobs.remove(idOf(first));
    const deleted = (await jobs.buried.find().toArray()).map(({ _id }) => _id);
    expectReplayed(await finish(), first);
    expect(await jobs.idsOf(title)).toEqual([]);
    expect(await jobs.strays()).toEqual([]);
    // The discarded job leaves no second answer.
    const projection = { uncounted: 0, counted: 0, change: 0 };
    const others = jobs.buried.find({ _id: { $nin: deleted } }, { projection });
    expect(await others.toArray()).toEqual([
      {
        _id: expect.any(Number),
        companyId: 1,
        deletedAt: new Date(START),
        expireAt: expect.any(Date),
      },
    ]);
    await jobs.expectReplay(first, key, body);
  });

  it.each([
    ['exists', false],
    ['is deleted', true],
  ])('another body is refused when the job of the faster one %s', async (_what, isDeleted) => {
    const key = newKey();
    const slowBody = newJob({ title: 'Slow', categories: [{ id: 1 }] });
    const { first, finish } = await race(key, slowBody, newJob());
    if (isDeleted) await jobs.remove(idOf(first));
    expect((await refusalOf(finish())).code).toBe('idempotency_key_reused');
    expect(await jobs.idsOf('Slow')).toEqual([]);
    expect(await jobs.strays()).toEqual([]);
  });

  it('the answer of the deleted job wins if a second job was not removed', async () => {
    const key = newKey();
    const first = await jobs.send(key, newJob());
    const document = await jobs.stored.findOne({ _id: idOf(first) });
    if (!document) throw new Error('the job is not there');
    await jobs.remove(idOf(first));
    const idempotency = { ...document.idempotency, version: 7 };
    const second = { ...document, _id: 1_000_000 + idOf(first), idempotency };
    await jobs.stored.insertOne(second);
    await jobs.expectReplay(first, key, newJob());
    await jobs.remove(second._id);
    expect((await jobs.send(key, newJob())).replayed).toBe(true);
  });
});
