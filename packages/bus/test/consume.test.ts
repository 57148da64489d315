import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { schedulerStream, transitionDue } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { connect, headers, type NatsConnection } from 'nats';
import { consume as consumeOn } from '../src/consumer.ts';
import type { Bus, BusObserver, Consuming } from '../src/index.ts';
import { noObserver } from '../src/observer.ts';
import { type RunningBus, runBus } from './running-bus.ts';

let running: RunningBus;
let bus: Bus;
/** Changes streams and consumers on the server, which no service does. */
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

/** A consumer that records each batch and then calls `then`. With `retryMs`, it pauses for less than a second. */
function consume(then: () => Promise<void> = () => Promise.resolve(), batch = 10, retryMs?: number) {
  const batches: string[][] = [];
  const errors: unknown[] = [];
  const options = {
    durable: 'test',
    batch,
    handle: async (payloads: readonly { instant: string }[]) => {
      batches.push(payloads.map(({ instant }) => instant));
      await then();
    },
    onError: (error: unknown) => errors.push(error),
  };
  const consumer =
    retryMs === undefined
      ? bus.consume(transitionDue, options)
      : consumeOn(operator, transitionDue, options, noObserver, retryMs);
  consuming.push(consumer);
  return { batches, errors, stop: consumer.stop, seen: () => batches.flat() };
}

const failing = (times: number) => () =>
  times-- > 0 ? Promise.reject(new Error('not yet')) : Promise.resolve();

const BAD = new TextEncoder().encode('NATS/1.0\r\nbad name: x\r\n\r\n');

const info = async () => (await operator.jetstreamManager()).consumers.info(schedulerStream.name, 'test');
const ackPending = async () => (await info()).num_ack_pending;
const unread = async () => (await info()).num_pending + (await ackPending());

describe('consume', () => {
  it('hands over what was published before and after it began, and acknowledges it', async () => {
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

  it('drops an event that is not JSON, and goes on', async () => {
    await operator.jetstream().publish(transitionDue.subject, new TextEncoder().encode('{"instant":'));
    await publish('a');
    const { seen, errors } = consume();
    await waitFor(() => seen().length === 1, { what: 'the one behind' });
    await waitFor(async () => (await unread()) === 0, { what: 'the end of both' });
    expect(seen()).toEqual(['a']);
    expect(errors).toHaveLength(1);
  });

  it('hands over an event whose other headers the client cannot read', async () => {
    const sent = headers();
    sent.set('traceparent', 'a');
    const body = new TextEncoder().encode('{"instant":"a"}');
    await operator.jetstream().publish(transitionDue.subject, body, { headers: sent });
    operator.publish(transitionDue.subject, body, {
      headers: Object.assign(headers(), { encode: () => BAD }),
    });
    const traceparents: string[][] = [];
    const observer: BusObserver = {
      ...noObserver,
      consuming: (event, size, each) => {
        traceparents.push([...each]);
        return noObserver.consuming(event, size, each);
      },
    };
    bus = await running.connect({ observer });
    const { seen } = consume();
    await waitFor(async () => seen().length === 2 && (await unread()) === 0, {
      what: 'the acknowledgements',
    });
    expect(traceparents.flat()).toEqual(['a']);
  });

  it('goes on after its consumer was deleted', async () => {
    const { seen } = consume();
    await publish('a');
    await waitFor(() => seen().includes('a'), { what: 'the first' });
    await (await operator.jetstreamManager()).consumers.delete(schedulerStream.name, 'test');
    await publish('b');
    await waitFor(() => seen().includes('b'), { what: 'the second', limitMs: 20_000 });
  });

  it('waits for its stream to be made', async () => {
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

  it('brings an existing consumer to its limits', async () => {
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

describe('consume › a batch that fails', () => {
  it('comes again until it is handled, however often it fails', async () => {
    const { seen, errors } = consume(failing(25), 10, 20);
    await publish('a');
    await waitFor(() => seen().length === 26, { what: '26 deliveries of one event', limitMs: 15_000 });
    expect(new Set(seen())).toEqual(new Set(['a']));
    expect(errors).toHaveLength(25);
    await waitFor(async () => (await unread()) === 0, { what: 'the acknowledgement' });
  });

  it('comes again after a second, not at once', async () => {
    const { seen } = consume(failing(1));
    await publish('a');
    await waitFor(() => seen().length === 1, { what: 'the first delivery' });
    const failedAt = performance.now();
    await waitFor(() => seen().length === 2, { what: 'the second delivery' });
    expect(performance.now() - failedAt).toBeGreaterThan(900);
  });

  it('leaves those behind it alone', async () => {
    const { batches } = consume(failing(1), 1);
    await publish('a', 'b');
    await waitFor(() => batches.length === 3, { what: 'three batches' });
    expect(batches).toEqual([['a'], ['b'], ['a']]);
  });
});

describe('consume › stop', () => {
  it('ends at any moment of the set-up', async () => {
    await consume().stop();
    const { errors, stop } = consume();
    await operator.flush();
    await stop();
    expect(errors).toEqual([]);
  });

  it('finishes the batch in hand, and gives back the rest at once', async () => {
    const held = Promise.withResolvers<void>();
    const first = consume(() => held.promise, 1);
    await publish('a', 'b', 'c');
    await waitFor(() => first.seen().length === 1, { what: 'the first batch' });
    await waitFor(async () => (await ackPending()) > 1, { what: 'a second event to be delivered' });
    const stopped = first.stop();
    held.resolve();
    await stopped;
    const next = consume();
    await waitFor(() => next.seen().length === 2, { what: 'the other two events', limitMs: 3000 });
    expect([...first.seen(), ...next.seen()].toSorted()).toEqual(['a', 'b', 'c']);
  });
});
