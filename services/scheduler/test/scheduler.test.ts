import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '@joblisting/bus';
import { startService } from '@joblisting/service-kit';
import { startNats, testClock, type TestNats, waitFor } from '@joblisting/testing';
import { schedulerService } from '../src/index.ts';
import { collectInstants, type CollectedInstants } from './collected-instants.ts';

let nats: TestNats;
let bus: Bus;
let collected: CollectedInstants;

beforeAll(async () => {
  nats = await startNats();
  bus = await connectBus({ url: nats.url, name: 'test' });
  collected = collectInstants(bus, 'test');
});
afterAll(async () => {
  await collected.stop();
  await bus.close();
  await nats.stop();
});

const env = () => ({ NATS_URL: nats.url, LOG_LEVEL: 'silent' });

describe('the scheduler', () => {
  it('publishes at start, and by itself when noon comes', async () => {
    const clock = testClock('2026-03-01T11:59:59Z');
    const scheduler = await startService(schedulerService, { env: env(), clock });
    await waitFor(() => collected.instants.length === 1, { what: 'the instant before' });
    clock.set('2026-03-01T12:00:00Z');
    await waitFor(() => collected.instants.length === 2, { what: 'noon' });
    expect(collected.instants).toEqual(['2026-02-28T12:00:00.000Z', '2026-03-01T12:00:00.000Z']);
    await scheduler.stop();
  });

  it('moves its clock by CLOCK_OFFSET_MS', async () => {
    const offset = 1000 * 86_400_000;
    const scheduler = await startService(schedulerService, {
      env: { ...env(), CLOCK_OFFSET_MS: String(offset) },
    });
    const latest = () => Date.parse(collected.instants.at(-1) ?? '');
    await waitFor(() => latest() > Date.now() + offset - 86_400_000, { what: 'an instant of that day' });
    await scheduler.stop();
  });
});
