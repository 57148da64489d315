import { startNats, type TestNats, waitFor } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Event, Stream } from '@joblisting/contracts';
import { type Bus, connectBus } from '../src/index.ts';

let nats: TestNats;
let bus: Bus;
beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ url: nats.url, name: 'reader' });
});
afterAll(async () => {
  await bus.close();
  await nats.stop();
});

let last = 0;
/** A stream of its own with this many messages. */
async function streamWith(count: number) {
  const name = `READ${++last}`;
  const stream: Stream = {
    name,
    subjects: [`${name}.>`],
    maxAgeMs: 3600_000,
    maxBytes: 1024 ** 2,
    duplicateWindowMs: 1000,
  };
  const event = { subject: `${name}.made`, stream: name, summary: '', payload: {} } as Event<object>;
  await bus.ensureStream(stream);
  for (let no = 1; no <= count; no++) await bus.publishEvent(event, { no }, `id-${no}`);
  return { stream, event };
}

describe('readStream', () => {
  it('has the messages of a range in order, with subject, id, payload and time', async () => {
    const { stream, event } = await streamWith(5);
    const messages = await bus.readStream(stream, 2, 4);
    expect(messages).toEqual(
      [2, 3, 4].map((no) => ({
        subject: event.subject,
        messageId: `id-${no}`,
        payload: { no },
        storedAt: expect.any(Number),
      })),
    );
    expect(Date.now() - (messages[0]?.storedAt ?? 0)).toBeLessThan(10_000);
  });

  it('leaves out messages that are gone or not there yet, and reads nothing of an empty range', async () => {
    const { stream } = await streamWith(3);
    bus.notify({ subject: `$JS.API.STREAM.PURGE.${stream.name}` } as Event<object>, { seq: 3 });
    await waitFor(async () => (await bus.streamState(stream)).first === 3, { what: 'the purge' });
    expect((await bus.readStream(stream, 1, 5)).map(({ messageId }) => messageId)).toEqual(['id-3']);
    expect(await bus.readStream(stream, 5, 4)).toEqual([]);
  });

  it('has an empty id for a message without one', async () => {
    const { stream, event } = await streamWith(0);
    bus.notify(event, { no: 1 });
    await waitFor(async () => (await bus.streamState(stream)).last === 1, { what: 'the message' });
    expect(await bus.readStream(stream, 1, 1)).toMatchObject([{ messageId: '', payload: { no: 1 } }]);
  });
});

describe('streamState', () => {
  it('has the first and last number, and another createdAt for a stream that was made again', async () => {
    const { stream } = await streamWith(2);
    const before = await bus.streamState(stream);
    expect(before).toMatchObject({ first: 1, last: 2 });
    bus.notify({ subject: `$JS.API.STREAM.DELETE.${stream.name}` } as Event<object>, {});
    const isGone = () =>
      bus.streamState(stream).then(
        () => false,
        () => true,
      );
    await waitFor(isGone, { what: 'the deletion' });
    await bus.ensureStream(stream);
    const after = await bus.streamState(stream);
    expect(after.last).toBe(0);
    expect(after.createdAt).not.toBe(before.createdAt);
  });
});
