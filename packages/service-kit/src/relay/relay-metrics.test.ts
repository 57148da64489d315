import { expect, it } from '@jest/globals';
import { createMetrics } from '../telemetry/metrics.ts';
import { relayMetrics } from './relay-metrics.ts';

const MINUTE_MS = 60_000;

function setUp() {
  const metrics = createMetrics();
  const relay = relayMetrics(metrics);
  /** Rounded. */
  const valueOf = async (name: string): Promise<number | undefined> => {
    const { values } = (await metrics.registry.getSingleMetric(name)?.get()) ?? { values: [] };
    return values[0] && Math.round(values[0].value);
  };
  return {
    relay,
    age: () => valueOf('relay_oldest_change_age_seconds'),
    leads: () => valueOf('relay_leads'),
  };
}

it('the age is that of the oldest change known, and 0 once the leader has caught up', async () => {
  const { relay, age, leads } = setUp();
  expect(await age()).toBe(0);
  relay.leads();
  relay.behindSince(Date.now() - MINUTE_MS);
  expect([await age(), await leads()]).toEqual([60, 1]);
  relay.caughtUp();
  expect([await age(), await leads()]).toEqual([0, 1]);
});

it('the age keeps growing over attempts to follow the oplog that fail', async () => {
  const { relay, age } = setUp();
  relay.behindSince(Date.now() - MINUTE_MS);
  relay.leads();
  expect(await age()).toBe(60);
});

it('a replica that does not lead knows of no change that waits', async () => {
  const { relay, age, leads } = setUp();
  relay.leads();
  relay.behindSince(Date.now() - MINUTE_MS);
  relay.follows();
  expect([await age(), await leads()]).toEqual([0, 0]);
});
