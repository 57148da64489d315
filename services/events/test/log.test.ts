import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { categoryCreated, type Event, jobCreated, jobsStream } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { Type } from 'typebox';
import { runEvents, type RunningEvents, START } from './running-events.ts';

let events: RunningEvents;
beforeEach(async () => {
  events = await runEvents();
});
afterEach(() => events.stop());

/** Job and version of each event of the company. */
const versions = async (count: number, companyId = 1) =>
  (await events.logged(count, companyId)).map(({ job }) => [job?.id, job?.version]);
const numbers = async (count: number, companyId = 1) =>
  (await events.logged(count, companyId)).map(({ seq }) => seq);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Sends a request of an operator to JetStream, and waits for what follows. */
async function administer(verb: string, request: object, isDone: () => Promise<boolean>): Promise<void> {
  const subject = `$JS.API.STREAM.${verb}.${jobsStream.name}`;
  const api: Event<object> = { ...jobCreated, subject };
  events.bus.notify(api, request);
  await waitFor(isDone, { what: verb });
}

const isDeleted = () =>
  events.bus.streamState(jobsStream).then(
    () => false,
    () => true,
  );

/** Changes the stored position of the stream of jobs. */
const setPosition = (update: object) =>
  events.mongo.collection<{ _id: string }>('positions').updateOne({ _id: jobsStream.name }, update);

describe('the log of a company', () => {
  it('numbers the events of each company from 1 in the order of the stream', async () => {
    for (const id of upTo(300)) await events.tell('created', { jobId: id, companyId: 1 + (id % 2) });
    expect(await numbers(150, 1)).toEqual(upTo(150));
    expect(await versions(150, 2)).toEqual(upTo(150).map((index) => [2 * index - 1, 1]));
  });

  it('has what was published while no replica ran', async () => {
    await events.stopReplicas();
    for (const version of upTo(3)) await events.tell('updated', { jobId: 1, version });
    await events.addReplica();
    expect(await versions(3)).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
    ]);
  });

  it('has an event once that a relay publishes again after its stream has forgotten its id', async () => {
    await events.tell('created', { jobId: 1 });
    await versions(1);
    await events.bus.ensureStream({ ...jobsStream, duplicateWindowMs: 100 });
    await waitFor(async () => !(await events.tell('created', { jobId: 1 })).duplicate, {
      what: 'a second copy',
    });
    await events.tell('updated', { jobId: 1, version: 2 });
    expect(await versions(2)).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });

  it('leaves out a version that comes after a later one: versions of a job only rise', async () => {
    await events.tell('updated', { jobId: 1, version: 3 });
    await versions(1);
    await events.tell('updated', { jobId: 1, version: 2 });
    await events.tell('updated', { jobId: 1, version: 4 });
    expect(await versions(2)).toEqual([
      [1, 3],
      [1, 4],
    ]);
  });

  it('has nothing twice when an operator sets the position back', async () => {
    for (const version of upTo(3)) await events.tell('updated', { jobId: 1, version });
    await versions(3);
    await setPosition({ $set: { seq: 1 }, $unset: { messageId: '' } });
    await events.tell('updated', { jobId: 1, version: 4 });
    expect(await versions(4)).toEqual(upTo(4).map((version) => [1, version]));
  });

  it('goes on after a message that it cannot read', async () => {
    const unreadable: Event<object> = { ...jobCreated, payload: Type.Object({}) };
    await events.bus.publishEvent(unreadable, { nothing: 1 }, 'job:9:1');
    await events.tell('created', { jobId: 1 });
    expect(await versions(1)).toEqual([[1, 1]]);
  });
});

it('the other streams are followed while one fails', async () => {
  await administer('DELETE', {}, isDeleted);
  const payload = { categoryId: 1, companyId: 1, name: 'Joinery', version: 1, at: START };
  await events.bus.publishEvent(categoryCreated, payload, 'category:1:1');
  expect(await events.logged(1)).toMatchObject([{ type: 'category.created' }]);
});

describe('replicas', () => {
  it('log each event once and in order while replicas come, go, and write at once', async () => {
    const jobs = upTo(20);
    const publish = async () => {
      for (const version of upTo(30)) {
        await Promise.all(
          jobs.map((jobId) => events.tell('updated', { jobId, version, companyId: 1 + (jobId % 3) })),
        );
      }
    };
    const leases = events.mongo.collection<{ _id: string }>('leases');
    const publishing = publish();
    let isPublishing = true;
    void publishing.finally(() => {
      isPublishing = false;
    });
    for (let last = events.replicas[0]; isPublishing;) {
      const next = await events.addReplica();
      // Two lead at once.
      await leases.updateOne({ _id: 'log' }, { $unset: { leader: '' } });
      await last?.stop();
      last = next;
    }
    await publishing;
    for (const companyId of [1, 2, 3]) {
      const own = jobs.filter((jobId) => 1 + (jobId % 3) === companyId);
      const all = await events.logged(own.length * 30, companyId);
      expect(all.map(({ seq }) => seq)).toEqual(upTo(own.length * 30));
      for (const jobId of own) {
        expect(all.filter(({ job }) => job?.id === jobId).map(({ job }) => job?.version)).toEqual(upTo(30));
      }
    }
  }, 60_000);

  it('follow a position that another one has moved', async () => {
    await events.tell('created', { jobId: 1 });
    await versions(1);
    await events.addReplica();
    const leases = events.mongo.collection<{ _id: string }>('leases');
    for (const jobId of [2, 3, 4]) {
      await leases.updateOne({ _id: 'log' }, { $unset: { leader: '' } });
      await events.tell('created', { jobId });
      await versions(jobId);
    }
    expect(await numbers(4)).toEqual([1, 2, 3, 4]);
  });
});

describe('all cursors expire', () => {
  const expectExpired = async (after: string) => {
    await waitFor(
      async () => {
        const error = await events.list({ after }).catch((thrown: unknown) => thrown);
        return (error as { code?: string }).code === 'cursor_expired';
      },
      { what: 'the end of the cursor' },
    );
    const { data, cursor } = await events.changes();
    return { data, next: cursor?.next as string };
  };
  const cursorOf = async (count: number) => {
    await events.logged(count);
    return (await events.list()).cursor?.next as string;
  };

  it('when a stream was lost, and the log goes on with the new one', async () => {
    await events.tell('created', { jobId: 1 });
    const after = await cursorOf(1);
    await administer('DELETE', {}, isDeleted);
    await events.bus.ensureStream(jobsStream);
    const { next } = await expectExpired(after);
    await events.tell('updated', { jobId: 1, version: 2 });
    await waitFor(async () => (await events.list({ after: next })).data.length === 1, {
      what: 'the next event',
    });
    expect((await events.list({ after: next })).data).toMatchObject([{ seq: 3, id: 'job:1:2' }]);
  });

  it('when messages were lost before they were logged', async () => {
    await events.tell('created', { jobId: 1 });
    const after = await cursorOf(1);
    await events.stopReplicas();
    for (const version of [2, 3, 4]) await events.tell('updated', { jobId: 1, version });
    await administer('PURGE', { seq: 4 }, async () => (await events.bus.streamState(jobsStream)).first === 4);
    await events.addReplica();
    await expectExpired(after);
    expect((await events.listAll()).map(({ id }) => id)).toEqual(['job:1:4']);
  });

  it('when a stream lost messages that were logged, and grew again', async () => {
    await events.tell('created', { jobId: 1 });
    const after = await cursorOf(1);
    await events.stopReplicas();
    // As if two more messages were logged, and a power cut took them from the stream.
    await setPosition({ $set: { seq: 3, messageId: 'job:9:1' } });
    for (const version of [2, 3, 4, 5]) await events.tell('updated', { jobId: 1, version });
    await events.addReplica();
    await expectExpired(after);
    expect((await events.listAll()).map(({ job }) => job?.version)).toEqual([2, 3, 4, 5]);
  });
});

describe('cursors stay valid', () => {
  const expectNext = async (after: string) => {
    await waitFor(async () => (await events.list({ after })).data.length === 1, { what: 'the next event' });
    expect((await events.list({ after })).data).toMatchObject([{ seq: 2, id: 'job:1:2' }]);
  };
  /** The cursor after the first event, which no replica follows any more. */
  const cursorOfStopped = async () => {
    await events.tell('created', { jobId: 1 });
    await events.logged(1);
    const { cursor } = await events.list();
    await events.stopReplicas();
    return cursor?.next as string;
  };

  it('when the last message that was logged has left its stream', async () => {
    const after = await cursorOfStopped();
    await events.tell('updated', { jobId: 1, version: 2 });
    await administer('PURGE', { seq: 2 }, async () => (await events.bus.streamState(jobsStream)).first === 2);
    await events.addReplica();
    await expectNext(after);
  });

  it('when an earlier release stored the position, without the id of its message', async () => {
    const after = await cursorOfStopped();
    await setPosition({ $unset: { messageId: '' } });
    await events.tell('updated', { jobId: 1, version: 2 });
    await events.addReplica();
    await expectNext(after);
  });
});
