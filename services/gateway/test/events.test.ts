import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  listEvents,
  listJobChanges,
  listWebhookAttempts,
  type ParamsOf,
  ServiceError,
} from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { deletedJob, jobChange, loggedEvent } from '../src/routes/examples.ts';
import { ask, PUBLIC_URL, startGateway, type TestGateway } from './support/gateway.ts';
import { keys, keysOfConsumer } from './support/stand-ins.ts';

const TIMEOUT_MS = 500;
/** A connection without traffic is closed after the time to receive a request and two seconds. */
const IDLE_MS = 2500;

let gateway: TestGateway;
let waiting: { readonly params: ParamsOf<typeof listEvents>; answer: () => void }[];
beforeEach(async () => {
  waiting = [];
  gateway = await startGateway({
    REQUEST_TIMEOUT_MS: String(TIMEOUT_MS),
    RECEIVE_TIMEOUT_MS: '500',
    MAX_IN_FLIGHT: '8',
  });
  // Answers without a wait at once, and with one when the test says so.
  await gateway.standIn(listEvents, async ({ params }) => {
    await new Promise<void>((resolve) => {
      waiting.push({ params, answer: resolve });
      if (!params.wait) resolve();
    });
    if (params.format === 'ndjson')
      return { data: Buffer.from('{}\n'), file: { name: 'e', type: 'application/x-ndjson' } };
    return { data: [loggedEvent], cursor: { next: 'n', hasMore: false } };
  });
});
afterEach(async () => {
  for (const { answer } of waiting) answer();
  await gateway.stop();
});

const list = (query = '', headers: Record<string, string> = keys) =>
  ask(`${gateway.base}/events?company.id=1${query}`, { headers });
const untilWaiting = (count: number) =>
  waitFor(() => waiting.filter(({ params }) => params.wait).length === count, { what: `${count} that wait` });

describe('GET /events', () => {
  it('200 with the events and the cursor to go on with', async () => {
    const { status, body } = await list('&after=a&limit=7');
    expect([status, body]).toEqual([
      200,
      { data: [loggedEvent], paging: { next: 'n', hasMore: false }, warnings: [] },
    ]);
    expect(waiting[0]?.params).toEqual({ 'company.id': 1, after: 'a', limit: 7 });
  });

  it.each([
    ['application/x-ndjson', 'ndjson'],
    ['application/x-ndjson, application/json;q=0.5', 'ndjson'],
    ['application/json, application/x-ndjson;q=0.5', undefined],
    ['*/*', undefined],
  ])('with Accept: %s asks for the format %s', async (Accept, format) => {
    const response = await fetch(`${gateway.base}/events?company.id=1`, { headers: { ...keys, Accept } });
    await response.text();
    expect(waiting[0]?.params.format).toBe(format);
    expect(response.headers.get('content-type')).toMatch(
      format ? 'application/x-ndjson' : 'application/json',
    );
  });

  it('410 cursor_expired with the address of the snapshot', async () => {
    await gateway.standIn(listJobChanges, async () => {
      throw new ServiceError('cursor_expired', undefined, { snapshot: { companyId: 1 } });
    });
    const { status, body } = await ask(`${gateway.base}/jobs/changes?company.id=1&after=a`, {
      headers: keys,
    });
    expect([status, body.code]).toEqual([410, 'cursor_expired']);
    expect(body.snapshot).toBe(`${PUBLIC_URL}/v1.0/jobs/changes?company.id=1`);
  });
});

describe('GET /events with wait', () => {
  it('is answered after the time-out of other requests', async () => {
    const answer = list('&wait=20');
    await untilWaiting(1);
    await delay(2 * TIMEOUT_MS);
    waiting[0]?.answer();
    expect((await answer).status).toBe(200);
  });

  it('outlasts the time-out of connections that neither send nor receive', async () => {
    const answer = list('&wait=20');
    await untilWaiting(1);
    await delay(IDLE_MS + 1000);
    waiting[0]?.answer();
    expect((await answer).status).toBe(200);
  });

  it('504 where the service does not answer by the end of the wait and the time-out', async () => {
    const startedAt = performance.now();
    expect((await list('&wait=1')).status).toBe(504);
    expect(performance.now() - startedAt).toBeGreaterThan(1000 + TIMEOUT_MS - 50);
  });

  it('holds no place among the requests that are worked on', async () => {
    const answers = Array.from({ length: 20 }, () => list('&wait=20'));
    await untilWaiting(20);
    expect((await list()).status).toBe(200);
    for (const { answer } of waiting) answer();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('does not wait where 100 of one client do already, and others still may', async () => {
    const answers = Array.from({ length: 100 }, () => list('&wait=20'));
    await untilWaiting(100);
    await list('&wait=20');
    expect(waiting.at(-1)?.params.wait).toBe(0);
    const other = list('&wait=20', keysOfConsumer(gateway.accounts, 99));
    await untilWaiting(101);
    for (const { answer } of waiting) answer();
    await Promise.all([...answers, other]);
  }, 20_000);

  it('is answered at once when the gateway stops', async () => {
    const answer = list('&wait=20');
    await untilWaiting(1);
    const closing = gateway.server.close();
    expect((await answer).status).toBe(200);
    expect(waiting.at(-1)?.params.wait).toBe(0);
    await closing;
  });

  it.each(['26', '-1', 'x'])('400 for wait=%s', async (wait) => {
    const { status, body } = await list(`&wait=${wait}`);
    expect([status, body.errors[0].parameter]).toEqual([400, 'wait']);
  });
});

describe('GET /jobs/changes', () => {
  it('200 with changed and deleted jobs, and is no job', async () => {
    await gateway.standIn(listJobChanges, async () => ({
      data: [jobChange, deletedJob],
      cursor: { next: 'n', hasMore: true },
    }));
    const { status, body } = await ask(`${gateway.base}/jobs/changes?company.id=1`, { headers: keys });
    expect([status, body.data, body.paging]).toEqual([
      200,
      [jobChange, deletedJob],
      { next: 'n', hasMore: true },
    ]);
  });
});

describe('a method that a fixed path lacks, beside one with an id', () => {
  it.each([
    ['PUT', '/jobs/changes', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/jobs/batch/', 'POST, OPTIONS'],
  ])('%s %s: 405 with Allow: %s', async (method, path, allow) => {
    const { status, body, headers } = await ask(gateway.base + path, { method, headers: keys });
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', allow]);
  });
});

describe('GET /webhooks/{id}/attempts', () => {
  it('links to its next page by its own id', async () => {
    const paging = { total: 4, pageSize: 2, page: 1, pages: 2 };
    await gateway.standIn(listWebhookAttempts, async () => ({ data: [], paging }));
    const { body } = await ask(`${gateway.base}/webhooks/7/attempts?pageSize=2`, { headers: keys });
    expect(body.paging.next).toBe(`${PUBLIC_URL}/v1.0/webhooks/7/attempts?pageSize=2&page=2`);
  });
});
