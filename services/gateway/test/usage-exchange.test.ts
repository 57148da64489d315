import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Bus, connectBus } from '@joblisting/bus';
import { deleteJob, getJob, usageTold } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { windowAt } from '../src/limits/minutes.ts';
import { job } from '../src/routes/examples.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { keys, pairOf, principal, stoppedClock, userKey } from './support/peers.ts';
import { askRaw } from './support/raw.ts';

let first: TestGateway;
let second: TestGateway;
let bus: Bus;
let consumers = 2000;
const window = windowAt(stoppedClock.now());

function newKeys(readsPerMinute: number) {
  const consumerId = ++consumers;
  const key = `jlc_${consumerId}`;
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
  await first.play(getJob, async () => ({ data: job }));
  await first.play(deleteJob, async () => ({ outcome: 'deleted' }));
});
afterAll(async () => {
  await bus.close();
  await second.stop();
  await first.stop();
});

describe('two gateways', () => {
  it.each([5, 20, 300])('show a client that obeys no 429 where %d are allowed', async (quota) => {
    const { headers } = newKeys(quota);
    const statuses: number[] = [];
    for (let left = quota, turn = 0; left > 0; turn++) {
      const answer = await read(turn % 2 === 0 ? first : second, headers);
      statuses.push(answer.status);
      left = answer.left;
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(statuses.length).toBeGreaterThanOrEqual(Math.floor(quota * 0.95));
    expect(statuses.length).toBeLessThanOrEqual(quota + Math.max(1, quota / 20));
  });

  it.each([10, 200])('let little more than %d through to one that does not', async (quota) => {
    const { headers } = newKeys(quota);
    let admitted = 0;
    for (let turn = 0; turn < quota * 3; turn++) {
      if ((await read(turn % 2 === 0 ? first : second, headers)).status === 200) admitted++;
    }
    expect(admitted).toBeGreaterThanOrEqual(quota);
    // One at a time: what is under way between them is a request or two.
    expect(admitted).toBeLessThanOrEqual(quota + Math.max(1, quota / 20) + 2);
  });

  it('know each other’s counts, reads and writes apart', async () => {
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
});

describe('a gateway that comes later', () => {
  it('asks for what was counted before', async () => {
    const { headers } = newKeys(100);
    for (let each = 0; each < 50; each++) await read(first, headers);
    const third = await startGateway({}, { beside: first });
    await waitFor(async () => (await read(third, headers)).left <= 50, { what: 'the counts of before' });
    await third.stop();
    // It is gone; what it let through still counts.
    expect((await read(first, headers)).left).toBeLessThan(49);
  });
});

describe('what comes over the bus', () => {
  it.each([
    ['no object', 7],
    ['no counts', { gateway: 'x', window, asks: false }],
    ['counts that are none', { gateway: 'x', window, asks: false, counts: [[1, 'a', null]] }],
    ['negative counts', { gateway: 'x', window, asks: false, counts: [[1, -5, 0]] }],
    ['counts of four', { gateway: 'x', window, asks: false, counts: [[1, 5, 0, 0]] }],
  ])('is ignored where it is %s', async (_what, message) => {
    const { consumerId, headers } = newKeys(100);
    const text = JSON.stringify(message).replace('[[1', `[[${consumerId}`);
    bus.notify(usageTold, JSON.parse(text));
    bus.notify(usageTold, { gateway: 'y', window, asks: false, counts: [[consumerId, 10, 0]] });
    await waitFor(async () => (await read(first, headers)).left < 90, { what: 'what was well told' });
  });
});
