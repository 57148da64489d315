import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '@joblisting/bus';
import { deleteJob, getJob, usageTold } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { windowAt } from '../src/limits/quota.ts';
import { job } from '../src/routes/examples.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { keys, pairOf, principal, secretOf, stoppedClock, userKey } from './support/stand-ins.ts';
import { askRaw } from './support/raw.ts';

let first: TestGateway;
let second: TestGateway;
let bus: Bus;
let consumers = 2000;
const window = windowAt(stoppedClock.now());

function newKeys(readsPerMinute: number) {
  const consumerId = ++consumers;
  const key = secretOf('consumer', consumerId);
  const grant = { principal: { ...principal, consumerId }, keyIds: [], expiresAt: null, readsPerMinute };
  first.accounts.set(pairOf(key, userKey), grant);
  return { consumerId, headers: { ...keys, 'Consumer-API-Key': key } };
}

async function read(gateway: TestGateway, headers: Record<string, string>) {
  const answer = await askRaw(`${gateway.base}/jobs/1`, 'GET', headers);
  const left = Number(/r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1]);
  return { status: answer.status, left };
}

beforeAll(async () => {
  first = await startGateway();
  second = await startGateway({}, { beside: first });
  bus = await connectBus({ url: first.nats.url, name: 'test' });
  await first.standIn(getJob, async () => ({ data: job }));
  await first.standIn(deleteJob, async () => ({ outcome: 'deleted' }));
});
afterAll(async () => {
  await bus.close();
  await second.stop();
  await first.stop();
});

describe('two gateways', () => {
  it('know each other’s counts within a second or so, reads and writes apart', async () => {
    const { headers } = newKeys(100);
    for (let each = 0; each < 9; each++) await read(first, headers);
    await askRaw(`${first.base}/jobs/1`, 'DELETE', headers);
    await waitFor(async () => (await read(second, headers)).left < 91, { what: 'the reads of the other' });
    let deleted = 0;
    const seesBoth = async () => {
      const answer = await askRaw(`${second.base}/jobs/1`, 'DELETE', headers);
      return answer.headers['ratelimit'] === `"writes";r=${12_000 - 1 - ++deleted};t=60`;
    };
    await waitFor(seesBoth, { what: 'the write of the other' });
  });

  it.each([10, 200])('let at most 5 % more than %d through once they know', async (quota) => {
    const { headers } = newKeys(quota);
    const half = quota / 2;
    for (let each = 0; each < half; each++) await read(first, headers);
    let admitted = half;
    const isTold = async () => {
      admitted++;
      return (await read(second, headers)).left < half;
    };
    await waitFor(isTold, { what: 'the counts of the other', everyMs: 500 });
    for (let turn = 0; turn < quota; turn++) {
      if ((await read(second, headers)).status === 200) admitted++;
    }
    expect(admitted).toBeGreaterThanOrEqual(quota);
    expect(admitted).toBeLessThanOrEqual(quota + Math.max(1, quota / 20));
  });
});

describe('a gateway that starts later', () => {
  it('learns what was counted before', async () => {
    const { headers } = newKeys(100);
    for (let each = 0; each < 50; each++) await read(first, headers);
    const third = await startGateway({}, { beside: first });
    await waitFor(async () => (await read(third, headers)).left <= 50, { what: 'the counts of before' });
    await third.stop();
    // It has stopped; what it let through still counts.
    await waitFor(async () => (await read(first, headers)).left < 49, { what: 'its last counts' });
  });
});

describe('a message on the bus', () => {
  it.each([
    ['no object', 7],
    ['without counts', { gateway: 'x', window }],
    ['with counts that are no numbers', { gateway: 'x', window, counts: [{ reads: 'a', writes: null }] }],
    ['with negative counts', { gateway: 'x', window, counts: [{ reads: -5, writes: 0 }] }],
    ['with half of the counts', { gateway: 'x', window, counts: [{ reads: 5 }] }],
  ])('is ignored where it is %s', async (_what, message) => {
    const { consumerId, headers } = newKeys(100);
    const text = JSON.stringify(message).replace('[{', `[{"consumerId":${consumerId},`);
    bus.notify(usageTold, JSON.parse(text));
    bus.notify(usageTold, { gateway: 'y', window, counts: [{ consumerId, reads: 10, writes: 0 }] });
    await waitFor(async () => (await read(first, headers)).left < 90, { what: 'the valid message' });
    expect((await read(first, headers)).left).toBeGreaterThan(80);
  });
});
