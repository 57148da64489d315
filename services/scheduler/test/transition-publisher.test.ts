import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '@joblisting/bus';
import { transitionDue } from '@joblisting/contracts';
import { createLog } from '@joblisting/service-kit';
import { startNats, testClock, type TestNats, waitFor } from '@joblisting/testing';
import { transitionPublisher } from '../src/transition-publisher.ts';
import { collectInstants, type CollectedInstants } from './collected-instants.ts';

const log = createLog('test', 'silent');
const noonOf = (day: string) => `${day}T12:00:00.000Z`;

let nats: TestNats;
let bus: Bus;
let collected: CollectedInstants;

beforeEach(async () => {
  nats = await startNats();
  bus = await connectBus({ url: nats.url, name: 'test' });
});
afterEach(async () => {
  await collected.stop();
  await bus.close();
  await nats.stop();
});

/** The stream holds these instants and no others: it publishes a marker after everything else. */
const expectInstants = async (days: string[]) => {
  await bus.publishEvent(transitionDue, { instant: 'mark' }, 'mark');
  collected = collectInstants(bus, 'test');
  await waitFor(() => collected.instants.includes('mark'), { what: 'the mark' });
  expect(collected.instants).toEqual([...days.map(noonOf), 'mark']);
};

describe('transitionPublisher', () => {
  it('publishes only the latest instant on a new stream', async () => {
    await transitionPublisher(bus, testClock('2026-03-05T13:00:00Z'), log).publishDue();
    await expectInstants(['2026-03-05']);
  });

  it('publishes each noon once, however often it is called', async () => {
    const clock = testClock('2026-03-05T13:00:00Z');
    const publisher = transitionPublisher(bus, clock, log);
    for (const now of ['2026-03-05T13:00:01Z', '2026-03-06T11:59:59Z', '2026-03-06T12:00:00Z']) {
      clock.set(now);
      await Promise.all([publisher.publishDue(), publisher.publishDue()]);
      await publisher.publishDue();
    }
    await expectInstants(['2026-03-05', '2026-03-06']);
  });

  it('publishes the instants missed while it was stopped', async () => {
    const clock = testClock('2026-03-01T13:00:00Z');
    await transitionPublisher(bus, clock, log).publishDue();
    clock.set('2026-03-04T09:00:00Z');
    await transitionPublisher(bus, clock, log).publishDue();
    await expectInstants(['2026-03-01', '2026-03-02', '2026-03-03']);
  });

  it('follows a clock that is set back', async () => {
    const clock = testClock('2026-03-05T13:00:00Z');
    const publisher = transitionPublisher(bus, clock, log);
    await publisher.publishDue();
    clock.set('2026-03-02T13:00:00Z');
    await publisher.publishDue();
    clock.set('2026-03-03T13:00:00Z');
    await publisher.publishDue();
    await expectInstants(['2026-03-05', '2026-03-02', '2026-03-03']);
  });

  it('publishes each noon once from replicas that race', async () => {
    const clock = testClock('2026-03-01T13:00:00Z');
    const other = await connectBus({ url: nats.url, name: 'other' });
    const replicas = [bus, other, other].map((connection) => transitionPublisher(connection, clock, log));
    await Promise.all(replicas.map((replica) => replica.publishDue()));
    clock.set('2026-03-03T13:00:00Z');
    await Promise.all(replicas.map((replica) => replica.publishDue()));
    await other.close();
    await expectInstants(['2026-03-01', '2026-03-02', '2026-03-03']);
  });

  it('tries again once the bus is back', async () => {
    const clock = testClock('2026-03-01T13:00:00Z');
    const publisher = transitionPublisher(bus, clock, log);
    await publisher.publishDue();
    await nats.kill();
    clock.set('2026-03-02T12:00:00Z');
    await publisher.publishDue();
    await nats.restart();
    await waitFor(() => bus.isConnected(), { what: 'the bus' });
    await publisher.publishDue();
    await expectInstants(['2026-03-01', '2026-03-02']);
  });
});
