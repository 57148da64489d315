import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createJob, deleteJobByReference, getJob, recordEvents, updateJob } from '@joblisting/contracts';
import { testClock } from '@joblisting/testing';
import { job, metricsReceipt } from '../src/routes/examples.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { askRaw } from './support/raw.ts';
import { keys, metricsPrincipal, pairOf, principal, secretOf, userKey } from './support/stand-ins.ts';

const LIMIT = 1000;
const BODY_LIMIT = 2000;
const START = '2026-11-20T18:00:00Z';
const clock = testClock(START);
const json = { 'Content-Type': 'application/json' };
let gateway: TestGateway;
let consumers = 1000;

/** Headers with the keys of a consumer of its own. */
function newConsumer() {
  const consumerId = ++consumers;
  const key = secretOf('consumer', consumerId);
  const rest = { keyIds: [], expiresAt: null };
  gateway.accounts.set(pairOf(key, userKey), { principal: { ...principal, consumerId }, ...rest });
  gateway.accounts.set(pairOf(key, null), { principal: { ...metricsPrincipal, consumerId }, ...rest });
  return { ...keys, ...json, 'Consumer-API-Key': key };
}

type Headers = ReturnType<typeof newConsumer>;
/** A JSON object of that many bytes. */
const bodyOf = (bytes: number) => JSON.stringify({ title: 'x'.repeat(bytes - 12) });
const send = (headers: Headers, bytes: number, method = 'POST', path = '/jobs') =>
  askRaw(gateway.base + path, method, headers, bodyOf(bytes));
const resultOf = ({ status, headers, text }: Awaited<ReturnType<typeof askRaw>>) =>
  status === 429 ? [status, JSON.parse(text).code, JSON.parse(text).reason, headers['retry-after']] : status;
const REFUSED = [429, 'rate_limited', 'write_volume', String(6 * 3600)];

beforeAll(async () => {
  const env = { WRITE_BYTES_PER_DAY: `${LIMIT}`, BODY_LIMIT_BYTES: `${BODY_LIMIT}` };
  gateway = await startGateway(env, { clock });
  await gateway.standIn(createJob, async () => ({ outcome: 'created', id: job.id, data: job }));
  await gateway.standIn(getJob, async () => ({ data: job }));
  await gateway.standIn(updateJob, async () => ({ data: job }));
  await gateway.standIn(deleteJobByReference, async () => ({ outcome: 'deleted' }));
  await gateway.standIn(recordEvents, async () => ({ data: metricsReceipt }));
});
afterAll(() => gateway.stop());
afterEach(() => clock.set(START));

describe('the bytes that a consumer writes in a day', () => {
  it('429 with the reason and the time until the day ends, for every method', async () => {
    const own = newConsumer();
    await send(own, 400);
    await send(own, 300, 'PUT', '/jobs/1');
    expect(resultOf(await send(own, 301))).toEqual(REFUSED);
    expect(resultOf(await send(own, 301, 'PUT', '/jobs/1'))).toEqual(REFUSED);
    await send(own, 300, 'DELETE');
    expect(resultOf(await send(own, 12))).toEqual(REFUSED);
    expect(resultOf(await askRaw(`${gateway.base}/jobs/1`, 'GET', own))).toBe(200);
  });

  it('are counted for each consumer alone, and anew each day', async () => {
    const own = newConsumer();
    await send(own, LIMIT);
    expect(resultOf(await send(newConsumer(), 500))).not.toBe(429);
    expect(resultOf(await send(own, 12))).toEqual(REFUSED);
    clock.set('2026-11-21T00:00:00Z');
    expect((await send(own, LIMIT)).status).not.toBe(429);
  });

  it('are judged by Content-Length, before the body is sent', async () => {
    const own = newConsumer();
    // On a connection that closes, the gateway reads the rest before it answers.
    const headers = { ...own, 'Content-Length': String(LIMIT + 1), Connection: 'keep-alive' };
    const sent = request(`${gateway.base}/jobs`, { method: 'POST', headers, agent: false });
    sent.on('error', () => undefined).flushHeaders();
    const [response] = await once(sent, 'response');
    expect(response.statusCode).toBe(429);
    sent.destroy();
    expect((await send(own, LIMIT)).status).not.toBe(429);
  });

  it('are counted once they are here, where no length is announced', async () => {
    const own = { ...newConsumer(), 'Transfer-Encoding': 'chunked' };
    expect((await send(own, 600)).status).not.toBe(429);
    expect(resultOf(await send(own, 600))).toEqual(REFUSED);
    expect((await send(own, 400)).status).not.toBe(429);
  });

  it('413 for a body that is too large at any time', async () => {
    const own = newConsumer();
    const large = await startGateway({ WRITE_BYTES_PER_DAY: '100000', BODY_LIMIT_BYTES: `${BODY_LIMIT}` });
    const answer = await askRaw(`${large.base}/jobs`, 'POST', { ...own, ...keys }, bodyOf(200_000));
    expect(answer.status).toBe(413);
    await large.stop();
  });

  it('are without events of metrics', async () => {
    const own = newConsumer();
    for (let each = 0; each < 3; each++) {
      expect((await send(own, 900, 'POST', '/metrics/events')).status).not.toBe(429);
    }
    expect((await send(own, LIMIT)).status).not.toBe(429);
  });
});
