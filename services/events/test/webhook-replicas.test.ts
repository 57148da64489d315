import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { inTransaction } from '@joblisting/service-kit';
import { keptAnswersIn } from '@joblisting/service-kit/mongo';
import { inParallel, waitFor } from '@joblisting/testing';
import { attemptStore } from '../src/store/attempt-store.ts';
import { runWebhooks, type RunningWebhooks } from './running-webhooks.ts';

let hooks: RunningWebhooks;
beforeEach(async () => {
  hooks = await runWebhooks();
});
afterEach(() => hooks.stop());

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const leases = () => hooks.mongo.collection<{ _id: string }>('leases');

/** The first coming of each version. */
const firstOf = (versions: readonly number[]) => [...new Set(versions)];

it('replicas that come, go and send at once miss nothing, and keep the order of each job, while the receiver fails', async () => {
  const { receiver, webhook } = await hooks.receive();
  let count = 0;
  receiver.answers(() => (++count % 9 === 0 ? 500 : 204));
  const jobs = upTo(12);
  const publish = async () => {
    for (const version of upTo(20))
      await inParallel(jobs, 4, async (jobId) => void (await hooks.tell('updated', { jobId, version })));
  };
  let isPublishing = true;
  const publishing = publish().finally(() => {
    isPublishing = false;
  });
  for (let last = hooks.replicas[0]; isPublishing;) {
    const next = await hooks.addReplica();
    // Two lead at once.
    await leases().updateMany({}, { $unset: { leader: '' } });
    hooks.clock.advance(6000);
    await last?.stop();
    last = next;
  }
  await publishing;
  await waitFor(
    () => {
      hooks.clock.advance(400_000);
      return jobs.every((jobId) => new Set(receiver.versionsOf(jobId)).size === 20);
    },
    { what: 'all versions of all jobs', limitMs: 60_000, everyMs: 500 },
  );
  for (const jobId of jobs) expect(firstOf(receiver.versionsOf(jobId))).toEqual(upTo(20));
  await waitFor(async () => (await hooks.get(webhook.id)).pending === 0, { what: 'no pending event' });
}, 120_000);

it('a round that was not stored is sent again, and nothing is left out', async () => {
  const { receiver, webhook } = await hooks.receive();
  // The webhook changes while the receiver has the event: the result is not stored.
  let isFirst = true;
  receiver.answers(() => (response) => {
    const end = () => response.writeHead(204).end();
    const changing = isFirst ? hooks.update(webhook.id, { description: 'changed' }) : Promise.resolve();
    isFirst = false;
    void changing.then(end);
  });
  await hooks.tell('updated', { jobId: 1, version: 1 });
  await hooks.tell('updated', { jobId: 1, version: 2 });
  const firsts = () => receiver.versionsOf(1).filter((version) => version === 1);
  await waitFor(() => firsts().length === 2 && receiver.versionsOf(1).at(-1) === 2, {
    what: 'both events, the first one twice',
  });
  expect(firstOf(receiver.versionsOf(1))).toEqual([1, 2]);
  expect(await hooks.get(webhook.id)).toMatchObject({ description: 'changed' });
});

it('of a webhook that fails at most 1,000 events are pending, and the log keeps the others', async () => {
  const { receiver, webhook } = await hooks.receive();
  receiver.answers(() => 500);
  const jobs = upTo(1100);
  await inParallel(jobs, 20, async (jobId) => void (await hooks.tell('created', { jobId })));
  await waitFor(async () => (await hooks.get(webhook.id)).pending === 1000, {
    what: '1000 pending events',
    limitMs: 60_000,
  });
  // Further rounds take no more from the log.
  receiver.received.length = 0;
  hooks.clock.advance(6000);
  await waitFor(() => receiver.received.length > 250, { what: 'more attempts' });
  expect((await hooks.get(webhook.id)).pending).toBe(1000);
  receiver.answers(() => 204);
  receiver.received.length = 0;
  await waitFor(
    () => {
      hooks.clock.advance(360_000);
      return new Set(receiver.received.map(({ jobId }) => jobId)).size === jobs.length;
    },
    { what: 'all events', limitMs: 60_000, everyMs: 500 },
  );
}, 150_000);

it('receivers that are slow to answer hold up nobody else', async () => {
  let answered = 0;
  const { receiver: slow } = await hooks.receive();
  slow.answers(() => (response) => {
    const answer = () => {
      answered += 1;
      response.writeHead(204).end();
    };
    setTimeout(answer, 5500);
  });
  const companies = upTo(4);
  for (const id of companies)
    for (const _ of upTo(19)) await hooks.create({ company: { id }, url: slow.url });
  const { receiver: good } = await hooks.receive({ company: { id: 5 } });
  const tellAll = (version: number) =>
    Promise.all(companies.map((id) => hooks.tell('updated', { jobId: id, companyId: id, version })));
  await tellAll(1);
  await waitFor(() => answered === 77, { what: 'all answers', limitMs: 40_000 });
  await tellAll(2);
  await waitFor(() => slow.received.length >= 77 + 32, { what: 'as many as are sent to at once' });
  await hooks.tell('created', { jobId: 9, companyId: 5 });
  await waitFor(() => good.received.length === 1, { what: 'the event', limitMs: 20_000 });
  expect(answered).toBe(77);
}, 90_000);

it('of the attempts of a webhook the last 1,000 are kept', async () => {
  const attempts = attemptStore(hooks.mongo, keptAnswersIn(hooks.mongo, 'idempotency', hooks.clock));
  const { id } = await hooks.create({});
  const result = { outcome: 'delivered', status: 204, durationMs: 1 } as const;
  const event = { id: 'job:1:1', type: 'job.created' };
  const made = upTo(1200).map((at) => ({ webhookId: id, event, at, result, nextAttemptAt: null }));
  await inTransaction(hooks.mongo, Date.now() + 10_000, (session) => attempts.insert(made, session));
  await attempts.trim(id);
  const { total, found } = await attempts.page(id, 1, 1);
  expect([total, found[0]?.at]).toEqual([1000, new Date(1200).toISOString()]);
});
