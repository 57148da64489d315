import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { JobListingError } from '../src/index.ts';
import { busy, failureOf, job, type Reaction, startServer } from './server.ts';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  server.reactions.length = 0;
  server.received.length = 0;
});
afterAll(() => server.stop());

describe('a failed request', () => {
  it.each<Reaction>(['hangs', 'breaks', 'breaks in the body', busy])(
    'that %j is sent again',
    async (reaction) => {
      server.reactions.push(reaction);
      const client = server.client({ timeoutMs: reaction === 'hangs' ? 200 : 5000 });
      expect(await client.jobs.get(1)).toMatchObject({ data: { id: 1 }, attempts: 2 });
    },
  );

  it('tells what the API said', async () => {
    const violation = { pointer: '#/title', code: 'required', detail: 'title is required.' };
    const body = { code: 'validation_failed', detail: 'Broken.', requestId: 'r-1', errors: [violation] };
    server.reactions.push({ status: 422, body });
    const error = await failureOf(server.client().jobs.create(job));
    expect(error).toBeInstanceOf(JobListingError);
    expect(error).toMatchObject({
      message: 'Broken.\n  #/title: title is required.',
      detail: 'Broken.',
      status: 422,
      code: 'validation_failed',
      requestId: 'r-1',
      violations: [violation],
      retryAfter: undefined,
      attempts: 1,
    });
  });

  it('tells reason and Retry-After', async () => {
    const body = { code: 'rate_limited', reason: 'consumer_concurrency' };
    server.reactions.push({ status: 429, headers: { 'retry-after': '3600' }, body });
    const error = await failureOf(server.client().jobs.get(1));
    expect(error).toMatchObject({ status: 429, reason: 'consumer_concurrency', retryAfter: 3600 });
  });

  it.each([502, 200])('tells the status %d of an answer that is no JSON', async (status) => {
    server.reactions.push({ status, headers: { 'request-id': 'r-2' }, body: '<html>' });
    const error = await failureOf(server.client().jobs.get(1));
    expect(error).toMatchObject({ status, code: `http_${status}`, requestId: 'r-2', violations: [] });
  });

  it('is told by what the answer has in the right form, and sent again', async () => {
    const body = { code: 503, detail: ['Away'], errors: { a: 1 }, reason: null, conflict: 'x', requestId: 7 };
    const answer: Reaction = { status: 503, headers: { 'request-id': 'r-3' }, body };
    server.reactions.push(answer, answer);
    const error = await failureOf(server.client({ maxRetries: 1 }).jobs.get(1));
    expect(error).toMatchObject({
      message: 'Status 503.',
      status: 503,
      code: 'http_503',
      reason: undefined,
      violations: [],
      conflict: undefined,
      requestId: 'r-3',
      attempts: 2,
    });
  });

  it('lists the violations that have the right form', async () => {
    const violation = { pointer: '#/title', code: 'required', detail: 'title is required.' };
    server.reactions.push({ status: 422, body: { detail: 'Broken.', errors: ['a', null, violation] } });
    const error = await failureOf(server.client().jobs.create(job));
    expect(error.violations).toEqual([violation]);
  });

  it.each(['', '"ok"', 'null', '[]', '{"warnings":[]}'])(
    'is a 200 with the body %j, which has no data',
    async (body) => {
      server.reactions.push({ status: 200, body });
      expect(await failureOf(server.client().jobs.get(1))).toMatchObject({ status: 200, code: 'http_200' });
    },
  );

  it('is a page without paging', async () => {
    server.reactions.push({ status: 200, body: { data: [], warnings: [] } });
    const error = await failureOf(server.client().jobs.page({ 'company.id': 1 }));
    expect(error).toMatchObject({ status: 200, code: 'http_200' });
  });

  it('takes no longer than maxTotalMs, in however many attempts', async () => {
    server.reactions.push('hangs', 'hangs');
    const since = performance.now();
    const error = await failureOf(server.client({ maxTotalMs: 300 }).jobs.get(1));
    expect(error).toMatchObject({ code: 'timeout', attempts: 1 });
    expect(performance.now() - since).toBeLessThan(2000);
  });

  it('tells that nothing came in time', async () => {
    server.reactions.push('hangs');
    const error = await failureOf(server.client({ maxRetries: 0 }).jobs.get(1, { timeoutMs: 50 }));
    expect(error).toMatchObject({ status: 0, code: 'timeout', message: 'No answer within 50 ms.' });
  });

  it('tells that the service cannot be reached', async () => {
    const gone = await startServer();
    await gone.stop();
    const error = await failureOf(gone.client({ maxRetries: 1 }).jobs.get(1));
    expect(error).toMatchObject({ status: 0, code: 'connection_lost', attempts: 2 });
    expect(error.message).toMatch(/cannot be reached: .*ECONNREFUSED/);
  });

  it('of an unknown host is not sent again', async () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND nowhere'), { code: 'ENOTFOUND' });
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const error = await failureOf(server.client({ fetch }).jobs.get(1));
    expect(error).toMatchObject({ code: 'connection_failed', attempts: 1 });
  });
});
