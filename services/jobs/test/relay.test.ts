import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dropDatabase, waitFor } from '@joblisting/testing';
import { collectJobEvents } from './job-events.ts';
import { caller, newJob, runJobs, type RunningJobs, START } from './running-jobs.ts';

let jobs: RunningJobs;
let events: ReturnType<typeof collectJobEvents>;

interface Relay {
  readonly _id: string;
  readonly leader?: string;
  readonly leaseUntil?: Date;
  readonly token?: unknown;
}
const relay = () => jobs.mongo.collection<Relay>('relay');

beforeAll(async () => {
  jobs = await runJobs();
  events = collectJobEvents(jobs.bus);
});
afterAll(async () => {
  await events.stop();
  await jobs.stop();
});
beforeEach(() => jobs.clock.set(START));

describe('events of a job', () => {
  it('has one for each write, with the requester, the changed properties and the time', async () => {
    const context = caller();
    const body = newJob({ referenceId: 'r-1' });
    const { id } = (await jobs.create(body, context)).data;
    await jobs.update(id, { title: 'Fitter', city: 'Leeds' });
    await jobs.update(id, { status: { id: 2 } });
    await jobs.update(id, { status: { id: 1 } });
    await jobs.update(id, { publishDate: '2026-05-01' });
    await jobs.remove(id);
    expect(await events.arrived(id, 6)).toEqual([
      ['created', 1, 1],
      ['updated', 2, 1],
      ['closed', 3, 2],
      ['published', 4, 1],
      ['updated', 5, 3],
      ['deleted', 6, 3],
    ]);
    const [created, updated] = events.of(id);
    expect(created).toEqual({
      kind: 'created',
      jobId: id,
      companyId: 1,
      referenceId: 'r-1',
      version: 1,
      statusId: 1,
      at: '2026-03-10T15:15:00.000Z',
      requestedBy: { consumerId: 1, userId: 1 },
      requestId: context.requestId,
    });
    expect(updated?.fields).toEqual(['title', 'city']);
  });

  it('has none for a write that changes nothing', async () => {
    const { id } = (await jobs.create(newJob())).data;
    await jobs.update(id, { title: 'Welder' });
    await jobs.update(id, { title: 'Fitter' });
    expect(await events.arrived(id, 2)).toEqual([
      ['created', 1, 1],
      ['updated', 2, 1],
    ]);
  });

  it('names the status of a new job', async () => {
    const pending = (await jobs.create(newJob({ publishDate: '2026-05-01' }))).data;
    const closed = (await jobs.create(newJob({ closeDate: '2026-03-02' }))).data;
    expect(await events.arrived(pending.id, 1)).toEqual([['created', 1, 3]]);
    expect(await events.arrived(closed.id, 1)).toEqual([['created', 1, 2]]);
  });

  it('has the change that was committed just before the job is deleted', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { id } = (await jobs.create(newJob())).data;
        await jobs.update(id, { status: { id: 2 } });
        await jobs.remove(id);
        return id;
      }),
    );
    for (const id of ids) {
      expect(await events.arrived(id, 3)).toEqual([
        ['created', 1, 1],
        ['closed', 2, 2],
        ['deleted', 3, 2],
      ]);
    }
  });
});

describe('the relay', () => {
  const state = async () => (await relay().findOne({ _id: 'jobs' })) as Relay;
  const setState = (changes: object) => relay().updateOne({ _id: 'jobs' }, { $set: changes });
  const endPause = (position: object = {}) =>
    setState({ ...position, leader: 'nobody', leaseUntil: new Date(0) });
  /** Makes the leader stop, as if another replica led. */
  const pause = async () => {
    await setState({ leader: 'another', leaseUntil: new Date(Date.now() + 10_000) });
    // The leader notices within this time.
    await delay(2600);
  };

  /** A token from another database, so this stream does not contain it. */
  const foreignToken = async () => {
    const database = `${jobs.mongo.name}_other`;
    const elsewhere = jobs.mongo.useDb(database).collection<{ _id: number }>('elsewhere');
    const changes = elsewhere.watch();
    const next = changes.next();
    await elsewhere.insertOne({ _id: 1 });
    const { _id: token } = await next;
    await changes.close();
    await dropDatabase(database);
    return token;
  };

  it('publishes again what it published before it saved its position, and the stream deduplicates it', async () => {
    const { id } = (await jobs.create(newJob())).data;
    await events.arrived(id, 1);
    const { token } = await state();
    await jobs.update(id, { title: 'Fitter' });
    await jobs.update(id, { title: 'Turner' });
    await events.arrived(id, 3);
    await endPause({ token });
    await jobs.update(id, { title: 'Miller' });
    expect(await events.arrived(id, 4)).toEqual([
      ['created', 1, 1],
      ['updated', 2, 1],
      ['updated', 3, 1],
      ['updated', 4, 1],
    ]);
  });

  it('publishes the present state of every job when its position is lost', async () => {
    const { id } = (await jobs.create(newJob())).data;
    const deleted = (await jobs.create(newJob())).data.id;
    await Promise.all([events.arrived(id, 1), events.arrived(deleted, 1)]);
    await pause();
    await jobs.update(id, { title: 'Fitter' });
    await jobs.remove(deleted);
    await endPause({ token: await foreignToken() });
    // The next change in the oplog tells the database that the token is not in it.
    await jobs.create(newJob());
    expect(await events.arrived(id, 2)).toEqual([
      ['created', 1, 1],
      ['updated', 2, 1],
    ]);
    expect(await events.arrived(deleted, 2)).toEqual([
      ['created', 1, 1],
      ['deleted', 2, 1],
    ]);
    await jobs.update(id, { title: 'Turner' });
    expect(await events.arrived(id, 3)).toHaveLength(3);
  });

  it('continues after a change that it cannot read', async () => {
    const { id } = (await jobs.create(newJob())).data;
    await events.arrived(id, 1);
    const unreadable = { kind: 'moved', version: 2, companyId: 1, statusId: 1, at: new Date() };
    await jobs.mongo
      .collection<{ _id: number }>('jobs')
      .updateOne({ _id: id }, { $set: { version: 2, change: unreadable } });
    await jobs.update(id, { title: 'Fitter' });
    expect(await events.arrived(id, 2)).toEqual([
      ['created', 1, 1],
      ['updated', 3, 1],
    ]);
  });

  it('has one leader among replicas, and another one takes over', async () => {
    await waitFor(async () => (await state()).leader !== 'nobody', { what: 'a leader of the relay' });
    await jobs.addReplica();
    const { id } = (await jobs.create(newJob())).data;
    await events.arrived(id, 1);
    const { leader } = await state();
    await delay(2600);
    expect((await state()).leader).toBe(leader);
    await jobs.replicas[0]?.stop();
    await jobs.update(id, { title: 'Fitter' });
    expect(await events.arrived(id, 2)).toHaveLength(2);
    expect((await state()).leader).not.toBe(leader);
  });

  it('publishes what was written while the bus was unavailable, once', async () => {
    const { id } = (await jobs.create(newJob({ publishDate: '2026-03-20' }))).data;
    await events.arrived(id, 1);
    await jobs.nats.kill();
    jobs.clock.set('2026-03-19T12:00:00Z');
    await waitFor(() => jobs.mongo.collection<{ _id: number }>('jobs').findOne({ _id: id, version: 2 }), {
      what: `version 2 of job ${id}`,
    });
    await jobs.nats.restart();
    expect(await events.arrived(id, 2)).toEqual([
      ['created', 1, 3],
      ['published', 2, 1],
    ]);
  });
});
