import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CallContext } from '@joblisting/bus';
import { type MetricsEvent, type MetricsReceipt, recordEvents, ServiceError } from '@joblisting/contracts';
import { type KeptAnswer } from '@joblisting/service-kit';
import { keptAnswersIn } from '@joblisting/service-kit/mongo';
import { testClock } from '@joblisting/testing';
import { seenEventModel } from '../src/models/seen-event.ts';
import { type Batch, ledger } from '../src/store/ledger.ts';
import { allowed, countedOf, type RunningMetrics, runMetrics, send, view } from './running-metrics.ts';

let metrics: RunningMetrics;
beforeAll(async () => {
  metrics = await runMetrics();
  await metrics.addReplica();
  await metrics.addReplica();
});
afterAll(() => metrics.stop());

let last = 0;
const newKey = () => `key-${++last}`;
const newJob = () => {
  metrics.jobs.existing.add(++last);
  return last;
};
/** Events of a new job, each id used for the first time. */
const newEvents = (count: number, jobId = newJob()) =>
  Array.from({ length: count }, () => view(`event-${++last}`, jobId));

const keyed = (idempotencyKey: string) => ({ ...allowed(), idempotencyKey });
const record = (events: readonly MetricsEvent[], context: CallContext = keyed(newKey())) =>
  metrics.bus.request(recordEvents, { body: { events }, context });
const views = async (jobId = 0) => (await countedOf(metrics.mongo)).get(jobId)?.view ?? 0;
const kept = () => metrics.mongo.collection('idempotency').countDocuments();

type Outcome = PromiseSettledResult<Awaited<ReturnType<typeof record>>>;
const replies = (all: readonly Outcome[]) =>
  all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
const codes = (all: readonly Outcome[]) =>
  all.flatMap((one) => (one.status === 'rejected' ? [(one.reason as ServiceError).code] : []));

describe('recordEvents › Idempotency-Key › repeated', () => {
  it('gets the first receipt from each replica', async () => {
    const events = newEvents(3);
    await send(metrics.bus, events.slice(0, 1));
    const context = keyed(newKey());
    const first = await record(events, context);
    expect([first.replayed, first.data]).toEqual([undefined, { accepted: 2, duplicates: 1, rejected: [] }]);
    for (let time = 0; time < 10; time++) {
      expect(await record(events, context)).toEqual({ ...first, replayed: true });
    }
    expect(await views(events[0]?.jobId)).toBe(3);
  });

  it('gets the first receipt if no event was new', async () => {
    const events = newEvents(2);
    await send(metrics.bus, events);
    const context = keyed(newKey());
    const first = await record(events, context);
    expect(first.data).toEqual({ accepted: 0, duplicates: 2, rejected: [] });
    expect(await record(events, context)).toEqual({ ...first, replayed: true });
  });

  it('gets the first receipt even if an unknown job exists by now', async () => {
    const jobId = ++last;
    const context = keyed(newKey());
    const events = newEvents(1, jobId);
    const first = await record(events, context);
    expect(first.data).toMatchObject({ accepted: 0, rejected: [{ index: 0, code: 'unknown_job' }] });
    metrics.jobs.existing.add(jobId);
    expect(await record(events, context)).toEqual({ ...first, replayed: true });
    expect(await views(jobId)).toBe(0);
  });

  it('gets the first receipt with the rejected events in their places', async () => {
    const [first, second] = newEvents(2);
    const batch = [{ ...first, type: 'look' }, second] as MetricsEvent[];
    const context = keyed(newKey());
    const receipt = await record(batch, context);
    expect(receipt.data).toMatchObject({ accepted: 1, rejected: [{ index: 0, code: 'invalid_event' }] });
    expect(await record(batch, context)).toEqual({ ...receipt, replayed: true });
    const onlyInvalid = keyed(newKey());
    const none = await record(batch.slice(0, 1), onlyInvalid);
    expect(none.data).toMatchObject({ accepted: 0, rejected: [{ index: 0 }] });
    expect(await record(batch.slice(0, 1), onlyInvalid)).toEqual({ ...none, replayed: true });
    expect(await views(second?.jobId)).toBe(1);
  });

  it('gets the same bytes and warnings for NDJSON', async () => {
    const [event] = newEvents(1);
    const line = new TextEncoder().encode(`${JSON.stringify({ ...event, odd: 1 })}\n`);
    const context = keyed(newKey());
    const ask = () => metrics.bus.forward(recordEvents, { format: 'ndjson' }, line, context);
    const first = await ask();
    expect(first.warnings).toMatchObject([{ code: 'unknown_field' }]);
    const again = await ask();
    expect(again).toMatchObject({ outcome: 'ok', warnings: first.warnings, replayed: true });
    expect(Buffer.from(again.data).equals(first.data)).toBe(true);
  });

  it('is refused for another batch, and for the same bytes as another format', async () => {
    const context = keyed(newKey());
    const events = newEvents(2);
    await record(events.slice(0, 1), context);
    const reused = { code: 'idempotency_key_reused' };
    await expect(record(events, context)).rejects.toMatchObject(reused);
    const body = new TextEncoder().encode(JSON.stringify({ events: events.slice(0, 1) }));
    const other = metrics.bus.forward(recordEvents, { format: 'ndjson' }, body, context);
    await expect(other).rejects.toMatchObject(reused);
    expect(await views(events[0]?.jobId)).toBe(1);
  });

  it('does not affect another consumer, or the same one with a user', async () => {
    const context = keyed(newKey());
    await record(newEvents(1), context);
    for (const principal of [
      { ...context.principal, consumerId: 2 },
      { ...context.principal, userId: 1 },
    ]) {
      const reply = await record(newEvents(1), { ...context, principal });
      expect([reply.replayed, reply.data.accepted]).toEqual([undefined, 1]);
    }
  });
});

describe('recordEvents › Idempotency-Key › refused request', () => {
  it('does not use the key up', async () => {
    const context = keyed(newKey());
    const events = newEvents(1);
    await metrics.jobs.leave();
    await expect(record(events, context)).rejects.toMatchObject({ code: 'unavailable' });
    await metrics.jobs.join();
    await expect(record([], context)).rejects.toMatchObject({ code: 'validation_failed' });
    expect((await record(events, context)).data.accepted).toBe(1);
  });
});

describe('recordEvents › no Idempotency-Key', () => {
  it('keeps no receipt', async () => {
    const before = await kept();
    await send(metrics.bus, newEvents(1));
    expect(await kept()).toBe(before);
  });
});

describe('recordEvents › Idempotency-Key › simultaneous requests in two replicas', () => {
  it('count one batch once and get its receipt or idempotency_key_in_flight', async () => {
    for (let race = 0; race < 10; race++) {
      const events = newEvents(5);
      const context = keyed(newKey());
      const others = Array.from({ length: 10 }, () => newEvents(3));
      const [all, receipts] = await Promise.all([
        Promise.allSettled(Array.from({ length: 20 }, () => record(events, context))),
        Promise.all(others.map((other) => record(other))),
      ]);
      expect(replies(all).filter(({ replayed }) => !replayed)).toHaveLength(1);
      for (const { data } of replies(all)) expect(data).toEqual({ accepted: 5, duplicates: 0, rejected: [] });
      expect(codes(all).filter((code) => code !== 'idempotency_key_in_flight')).toEqual([]);
      expect(receipts.map(({ data }) => data.accepted)).toEqual(others.map(() => 3));
      expect(await views(events[0]?.jobId)).toBe(5);
    }
  });

  it('count one batch of one key, and refuse the other request', async () => {
    for (let race = 0; race < 20; race++) {
      const context = keyed(newKey());
      const batches = [newEvents(1), newEvents(1)];
      const all = await Promise.allSettled(batches.map((events) => record(events, context)));
      expect(replies(all)).toMatchObject([{ data: { accepted: 1 } }]);
      const counted = await Promise.all(batches.map(([event]) => views(event?.jobId)));
      expect(counted).toEqual(expect.arrayContaining([0, 1]));
      expect(['idempotency_key_in_flight', 'idempotency_key_reused']).toContain(codes(all)[0]);
    }
  });
});

describe('ledger', () => {
  it('leaves out the batch whose key was answered since, and counts the others', async () => {
    const clock = testClock('2026-03-01T12:00:00Z');
    const answers = keptAnswersIn(metrics.mongo, 'ledger_answers', clock);
    const { record } = ledger(metrics.mongo, answers, clock);
    const batch = (events: MetricsEvent[], key?: string): Batch => ({
      sender: 's',
      events,
      ...(key && { keep: { key, answer: (receipt) => answerOf(key, receipt) } }),
    });
    const answerOf = (key: string, receipt: MetricsReceipt): KeptAnswer => ({
      key,
      fingerprint: 'f',
      outcome: 'ok',
      data: Buffer.from(JSON.stringify(receipt)),
      warnings: [],
      expireAt: new Date(clock.now() + 1000),
    });
    const [a, b, c, d] = [newEvents(1), newEvents(1), newEvents(1), newEvents(1)] as const;
    const jobIds = new Set([a, b, c, d].map(([event]) => event?.jobId ?? 0));
    const deadline = Date.now() + 10_000;
    await record([batch(a, 'x')], jobIds, deadline);
    const outcomes = await record([batch(b), batch(c, 'x'), batch(d, 'y')], jobIds, deadline);
    const accepted = { accepted: 1, duplicates: 0, rejected: [] };
    expect(outcomes).toEqual([
      accepted,
      expect.objectContaining({ code: 'idempotency_key_in_flight', retryAfterSeconds: 1 }),
      accepted,
    ]);
    expect(
      await seenEventModel(metrics.mongo).countDocuments({ _id: { $in: c.map(({ id }) => `s:${id}`) } }),
    ).toBe(0);
    expect(await answers.find('y')).toBeDefined();
  });
});
