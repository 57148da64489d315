import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { schedulerStream, transitionDue } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { connect, type NatsConnection } from 'nats';
import { HeaderLines, headerOf } from '../src/header-lines.ts';
import type { Bus, BusObserver, Consuming } from '../src/index.ts';
import { traceparentHeader } from '../src/wire.ts';
import { type RunningBus, runBus } from './running-bus.ts';

let running: RunningBus;
let bus: Bus;
/** Does to the server what no service would. */
let operator: NatsConnection;
let consuming: Consuming[] = [];
let published = 0;

beforeEach(async () => {
  running = await runBus();
  bus = await running.connect();
  operator = await connect({ servers: running.nats.url, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
  await bus.ensureStream(schedulerStream);
});
afterEach(async () => {
  await Promise.all(consuming.map(({ stop }) => stop()));
  consuming = [];
  await operator.close();
  await running.stop();
});

const publish = (...instants: string[]) =>
  Promise.all(
    instants.map((instant) => bus.publishEvent(transitionDue, { instant }, `message-${published++}`)),
  );

/** A consumer that notes each batch and then does what it is told to. */
function consume(then: (instants: string[]) => Promise<void> = () => Promise.resolve(), batch = 10) {
  const batches: string[][] = [];
  const errors: unknown[] = [];
  const handle = async (payloads: readonly { instant: string }[]) => {
    const instants = payloads.map(({ instant }) => instant);
    batches.push(instants);
    await then(instants);
  };
  const consumer = bus.consume(transitionDue, {
    durable: 'test',
    batch,
    handle,
    onError: (error) => errors.push(error),
  });
  consuming.push(consumer);
  return { batches, errors, stop: consumer.stop, seen: () => batches.flat() };
}

const unread = async () => {
  const info = await (await operator.jetstreamManager()).consumers.info(schedulerStream.name, 'test');
  return info.num_pending + info.num_ack_pending;
};

describe('consume', () => {
  it('hands over what was published before and after, and acknowledges it', async () => {
    await publish('a', 'b');
    const { seen } = consume();
    await waitFor(() => seen().length === 2, { what: 'the first two' });
    await publish('c');
    await waitFor(() => seen().length === 3, { what: 'the third' });
    expect(seen()).toEqual(['a', 'b', 'c']);
    await waitFor(async () => (await unread()) === 0, { what: 'the acknowledgements' });
  });

  it('hands over no more than a batch at once', async () => {
    await publish(...Array.from({ length: 25 }, (_, index) => `${index}`));
    const { batches, seen } = consume(undefined, 4);
    await waitFor(() => seen().length === 25, { what: 'all' });
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(4);
  });

  it('shares the messages among replicas', async () => {
    const [one, other] = [consume(), consume()];
    await publish(...Array.from({ length: 20 }, (_, index) => `${index}`));
    await waitFor(() => one.seen().length + other.seen().length === 20, { what: 'all' });
    expect(new Set([...one.seen(), ...other.seen()]).size).toBe(20);
  });

  it('hands over again what failed', async () => {
    let failures = 2;
    const { seen, errors } = consume(() =>
      failures-- > 0 ? Promise.reject(new Error('not yet')) : Promise.resolve(),
    );
    await publish('a');
    await waitFor(() => seen().length === 3, { what: 'the third time' });
    expect(seen()).toEqual(['a', 'a', 'a']);
    expect(errors).toMatchObject([{ message: 'not yet' }, { message: 'not yet' }]);
    await waitFor(async () => (await unread()) === 0, { what: 'the acknowledgement' });
  });

  it('drops what is not JSON, and goes on', async () => {
    await operator.jetstream().publish(transitionDue.subject, new TextEncoder().encode('{"instant":'));
    await publish('a');
    const { seen, errors } = consume();
    await waitFor(() => seen().length === 1, { what: 'the one behind' });
    await waitFor(async () => (await unread()) === 0, { what: 'the end of both' });
    expect(seen()).toEqual(['a']);
    expect(errors).toHaveLength(1);
  });

  it('hands over what has a header that cannot be read', async () => {
    const seenFrom: string[][] = [];
    const observer: Partial<BusObserver> = {
      consumed: () => undefined,
      traceConsuming: (_event, cameFrom) => void seenFrom.push([...cameFrom]),
    };
    bus = await running.connect({ observer: observer as BusObserver });
    const headers = new HeaderLines(headerOf('bad name').line('x') + traceparentHeader.line('a'));
    const body = new TextEncoder().encode('{"instant":"a"}');
    await operator.jetstream().publish(transitionDue.subject, body, { headers });
    const { seen } = consume();
    await waitFor(async () => seen().length === 1 && (await unread()) === 0, { what: 'its acknowledgement' });
    expect(seenFrom).toEqual([['a']]);
  });

  it('comes back after its consumer was deleted', async () => {
    const { seen } = consume();
    await publish('a');
    await waitFor(() => seen().includes('a'), { what: 'the first' });
    await (await operator.jetstreamManager()).consumers.delete(schedulerStream.name, 'test');
    await publish('b');
    await waitFor(() => seen().includes('b'), { what: 'the second', limitMs: 20_000 });
  });

  it('waits for its stream', async () => {
    const manager = await operator.jetstreamManager();
    await manager.streams.delete(schedulerStream.name);
    const { seen, errors } = consume();
    await waitFor(() => errors.length > 0, { what: 'a complaint' });
    await bus.ensureStream(schedulerStream);
    await publish('a');
    await waitFor(() => seen().includes('a'), { what: 'the first' });
  });

  it('goes on after the server was killed', async () => {
    const { seen } = consume();
    await publish('a');
    await waitFor(() => seen().includes('a'), { what: 'the first' });
    await running.nats.restart();
    await waitFor(() => publish('b'), { what: 'the server' });
    await waitFor(() => seen().includes('b'), { what: 'the second', limitMs: 20_000 });
  });

  it('takes other limits for a consumer that is there', async () => {
    const before = consume(undefined, 4);
    await publish('a');
    await waitFor(() => before.seen().length === 1, { what: 'the first' });
    await before.stop();
    const after = consume(undefined, 8);
    await publish('b');
    await waitFor(() => after.seen().length === 1, { what: 'the second' });
    expect(after.seen()).toEqual(['b']);
  });
});

describe('stopping a consumer', () => {
  it('ends at any moment of its set-up', async () => {
    await consume().stop();
    const { errors, stop } = consume();
    await operator.flush();
    await stop();
    expect(errors).toEqual([]);
  });

  it('finishes what is in hand, and leaves the rest to the next one', async () => {
    const held = Promise.withResolvers<void>();
    const first = consume(() => held.promise, 1);
    await publish('a', 'b', 'c');
    await waitFor(() => first.seen().length === 1, { what: 'the first in hand' });
    const stopped = first.stop();
    held.resolve();
    await stopped;
    const next = consume();
    await waitFor(() => next.seen().length === 2, { what: 'the rest' });
    expect([...first.seen(), ...next.seen()].toSorted()).toEqual(['a', 'b', 'c']);
  });
});
