import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { batchJobs, putJob } from '@joblisting/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { batchedJobs, job, jobBatch } from '../src/routes/examples.ts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { keys } from './support/stand-ins.ts';

const REQUEST_TIMEOUT_MS = 300;
let gateway: TestGateway;
let leftMs: number;

beforeAll(async () => {
  gateway = await startGateway({ REQUEST_TIMEOUT_MS: String(REQUEST_TIMEOUT_MS) });
  const late = async <T>(reply: T): Promise<T> => {
    await delay(2 * REQUEST_TIMEOUT_MS);
    return reply;
  };
  await gateway.standIn(batchJobs, ({ context }) => {
    leftMs = context.deadline - Date.now();
    return late({ data: batchedJobs });
  });
  await gateway.standIn(putJob, () => late({ data: job }));
});
afterAll(() => gateway.stop());

const send = (method: string, path: string, text: string) =>
  ask(gateway.base + path, {
    method,
    headers: { ...keys, 'Content-Type': 'application/json' },
    body: text,
  });

describe('POST /jobs/batch', () => {
  it('200 after more time than other requests have', async () => {
    const { status, body } = await send('POST', '/jobs/batch', JSON.stringify(jobBatch));
    expect([status, body]).toEqual([200, { data: batchedJobs, warnings: [] }]);
    expect(leftMs).toBeGreaterThan(5000);
    expect(leftMs).toBeLessThanOrEqual(6000);
    expect((await send('PUT', '/jobs', '{}')).status).toBe(504);
  });

  it('413 for more than 4 MiB', async () => {
    const { status, body } = await send('POST', '/jobs/batch', ' '.repeat(4 * 1024 * 1024 + 1));
    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });
});
