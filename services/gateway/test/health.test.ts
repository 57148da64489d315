import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getJob } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { productVersion } from '@joblisting/service-kit';
import { job } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { keys } from './support/stand-ins.ts';

let gateway: TestGateway;
const readiness = () => ask(`${gateway.origin}/readyz`);
const read = () => ask(`${gateway.base}/jobs/1`, { headers: keys });

beforeAll(async () => {
  gateway = await startGateway({ REQUEST_TIMEOUT_MS: '500' });
  await gateway.standIn(getJob, async () => ({ data: job }));
});
afterAll(() => gateway.stop());

describe('health', () => {
  it('/healthz says live and /readyz says ready', async () => {
    expect((await ask(`${gateway.origin}/healthz`)).body).toEqual({
      status: 'live',
      version: productVersion,
    });
    const ready = await readiness();
    expect([ready.status, ready.body, ready.headers.get('cache-control')]).toEqual([
      200,
      { status: 'ready' },
      'no-store',
    ]);
  });

  it('/readyz says 503 with the cause while the bus is frozen, and 200 after', async () => {
    await gateway.nats.pause();
    const frozen = await readiness();
    expect([frozen.status, frozen.body.status]).toEqual([503, 'not ready']);
    expect(frozen.body.reason).toMatch(/^the bus /);
    expect((await ask(`${gateway.origin}/healthz`)).status).toBe(200);
    expect([503, 504]).toContain((await read()).status);
    await gateway.nats.resume();
    await waitFor(async () => (await readiness()).status === 200, { what: 'readiness' });
    await waitFor(async () => (await read()).status === 200, { what: 'an answer' });
  });

  it('503 with Retry-After while the bus is down; requests go through after', async () => {
    await gateway.nats.kill();
    await waitFor(async () => (await readiness()).body.reason === 'the bus is away', { what: 'the reason' });
    const refused = await read();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await ask(`${gateway.base}/countries`)).status).toBe(200);
    await gateway.nats.restart();
    await waitFor(async () => (await read()).status === 200, { what: 'an answer' });
    expect((await readiness()).status).toBe(200);
  });
});
