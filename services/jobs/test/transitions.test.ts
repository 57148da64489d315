import {
  jobClosed,
  jobPublished,
  type PayloadOf,
  schedulerStream,
  transitionDue,
} from '@joblisting/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { newJob, runJobs, type RunningJobs, START } from './running-jobs.ts';
import { waitingEvents } from './waiting-events.ts';

type JobEvent = PayloadOf<typeof jobPublished>;

let jobs: RunningJobs;
const heard: JobEvent[] = [];
const listening: { stop: () => Promise<void> }[] = [];

beforeAll(async () => {
  jobs = await runJobs();
  for (const event of [jobPublished, jobClosed]) {
    const handle = async (payloads: readonly JobEvent[]) => void heard.push(...payloads);
    listening.push(
      jobs.bus.consume(event, {
        durable: `test-${event.subject.split('.').at(-1)}`,
        batch: 100,
        handle,
        onError: () => undefined,
      }),
    );
  }
});
afterAll(async () => {
  await Promise.all(listening.map((consuming) => consuming.stop()));
  await jobs.stop();
});
beforeEach(() => jobs.clock.set(START));

const eventsOf = (id: number) =>
  heard.filter(({ jobId }) => jobId === id).toSorted((a, b) => a.version - b.version);
const eventsArrived = (id: number, count: number) =>
  waitFor(() => eventsOf(id).length >= count, { what: `${count} events of job ${id}` });
const storedAt = (id: number, version: number) =>
  waitFor(() => jobs.mongo.collection<{ _id: number }>('jobs').findOne({ _id: id, version }), {
    what: `version ${version} of job ${id}`,
  });

describe('transitions', () => {
  it('are stored without any request, each with its event', async () => {
    const { id } = (await jobs.create(newJob({ publishDate: '2026-03-20', closeDate: '2026-03-25' }))).data;
    jobs.clock.set('2026-03-19T12:00:00Z');
    await storedAt(id, 2);
    jobs.clock.set('2026-03-25T12:00:00Z');
    await storedAt(id, 3);
    await eventsArrived(id, 2);
    expect(eventsOf(id)).toEqual([
      { jobId: id, companyId: 1, version: 2, statusId: 1, at: '2026-03-19T12:00:00.000Z' },
      { jobId: id, companyId: 1, version: 3, statusId: 2, at: '2026-03-25T12:00:00.000Z' },
    ]);
  });

  it('are both told after a pause of days', async () => {
    const { id } = (await jobs.create(newJob({ publishDate: '2026-03-20', closeDate: '2026-03-25' }))).data;
    jobs.clock.set('2026-06-01T00:00:00Z');
    await eventsArrived(id, 2);
    expect(eventsOf(id).map(({ version, statusId }) => [version, statusId])).toEqual([
      [2, 1],
      [3, 2],
    ]);
  });

  it('by a request are told too', async () => {
    const { id } = (await jobs.create(newJob())).data;
    await jobs.update(id, { title: 'no transition' });
    await jobs.update(id, { status: { id: 2 } });
    await jobs.update(id, { status: { id: 1 } });
    await eventsArrived(id, 3);
    expect(eventsOf(id).map(({ version, statusId }) => [version, statusId])).toEqual([
      [1, 1],
      [3, 2],
      [4, 1],
    ]);
  });

  it('are told by a change of an overtaken job, at their own versions', async () => {
    const { id } = (await jobs.create(newJob({ publishDate: '2026-03-20' }))).data;
    jobs.clock.set('2026-03-22T00:00:00Z');
    const { version } = await jobs.update(id, { status: { id: 2 } });
    expect(version).toBe(3);
    await eventsArrived(id, 2);
    expect(eventsOf(id).map((event) => [event.version, event.statusId])).toEqual([
      [2, 1],
      [3, 2],
    ]);
  });

  it('of a job that is deleted are told too, whether they were stored or not', async () => {
    const { id } = (await jobs.create(newJob({ publishDate: '2026-03-20', closeDate: '2026-03-25' }))).data;
    jobs.clock.set('2026-03-26T00:00:00Z');
    await jobs.remove(id);
    await eventsArrived(id, 2);
    expect(eventsOf(id).map(({ version, statusId }) => [version, statusId])).toEqual([
      [2, 1],
      [3, 2],
    ]);
  });

  it('are settled when the scheduler says that an instant has come', async () => {
    await jobs.bus.ensureStream(schedulerStream);
    const { id } = (await jobs.create(newJob({ publishDate: '2026-03-20' }))).data;
    jobs.clock.set('2026-03-19T12:00:00Z');
    await jobs.bus.publishEvent(transitionDue, { instant: '2026-03-19T12:00:00Z' }, 'transition:1');
    await storedAt(id, 2);
  });
});

describe('transitions by several replicas', () => {
  it('are applied once, each event once', async () => {
    await jobs.addReplica();
    await jobs.addReplica();
    const body = newJob({ publishDate: '2026-03-20', closeDate: '2026-03-25' });
    const ids: number[] = [];
    // A few at a time: on a slow machine the service rightly refuses 300 at once.
    while (ids.length < 300) {
      const made = await Promise.all(Array.from({ length: 20 }, () => jobs.create(body)));
      ids.push(...made.map(({ data }) => data.id));
    }
    const stored = jobs.mongo.collection<{ _id: number; version: number }>('jobs');
    const made = { _id: { $in: ids } };
    // A short link that came late is a version of its own.
    const waiting = () => stored.countDocuments({ ...made, linkPending: true });
    await waitFor(async () => (await waiting()) === 0, { what: 'the short links of all jobs' });
    const before = new Map((await stored.find(made).toArray()).map(({ _id, version }) => [_id, version]));
    jobs.clock.set('2026-03-19T12:00:00Z');
    await waitFor(() => ids.every((id) => eventsOf(id).length >= 1), { what: 'the events of noon' });
    jobs.clock.set('2026-03-25T12:00:00Z');
    await waitFor(() => ids.every((id) => eventsOf(id).length >= 2), {
      what: 'the events of the other noon',
    });
    for (const id of ids) {
      const version = before.get(id) ?? 0;
      expect(eventsOf(id).map((event) => [event.version, event.statusId])).toEqual([
        [version + 1, 1],
        [version + 2, 2],
      ]);
    }
  });

  it('are told although the bus was away when they came', async () => {
    const { id } = (await jobs.create(newJob({ publishDate: '2026-03-20' }))).data;
    await jobs.nats.kill();
    jobs.clock.set('2026-03-19T12:00:00Z');
    await storedAt(id, 2);
    await jobs.nats.restart();
    await eventsArrived(id, 1);
    expect(eventsOf(id)).toHaveLength(1);
  });

  it('leave nothing in the outbox, nor settlements that tell of nothing', async () => {
    const settlements = jobs.mongo.collection<{ _id: number; [field: string]: unknown }>('settlements');
    await settlements.insertOne({ _id: 1, recordedAt: new Date(START), groups: [] });
    const isEmpty = async () =>
      (await waitingEvents(jobs.mongo)).size === 0 && (await settlements.countDocuments()) === 0;
    await waitFor(isEmpty, { what: 'an empty outbox' });
  });
});
