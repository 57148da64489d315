import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from '../src/index.ts';
import { busy, failureOf, job, startServer } from './server.ts';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  server.reactions.length = 0;
  server.received.length = 0;
});
afterAll(() => server.stop());

describe('a request', () => {
  it.each(['', '/', '/v1.0', '/v1.0/'])('goes to /v1.0 for a base URL that ends in %j', async (end) => {
    await createClient({ baseUrl: server.baseUrl + end }).referenceData.jobTypes();
    expect(server.received[0]?.url).toBe('/v1.0/jobtypes');
  });

  it('carries keys, query and conditions', async () => {
    const client = server.client({ consumerKey: 'c', userKey: 'u' });
    await client.jobs.update(7, { title: 'Florist' }, { ifMatch: '"1-a"' });
    await client.jobs.page({ 'company.id': 1, pageSize: 2 });
    expect(server.received).toMatchObject([
      { method: 'PUT', url: '/v1.0/jobs/7', headers: { 'if-match': '"1-a"', 'consumer-api-key': 'c' } },
      { method: 'GET', url: '/v1.0/jobs?company.id=1&pageSize=2', headers: { 'user-api-key': 'u' } },
    ]);
  });

  it.each(['../jobcategories/7', '1?x=1', '..', '', 1.5])('refuses the id %j', async (id) => {
    const error: unknown = await server
      .client()
      .jobs.delete(id as number)
      .catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(TypeError);
    expect(server.received).toEqual([]);
  });

  it('goes through the given fetch', async () => {
    const urls: unknown[] = [];
    const fetch = (async (url: unknown) => {
      urls.push(url);
      return Response.json({ data: [], warnings: [] });
    }) as typeof globalThis.fetch;
    await createClient({ baseUrl: 'https://jobs.example.com', fetch }).referenceData.countries();
    expect(urls).toEqual(['https://jobs.example.com/v1.0/countries']);
  });

  it('takes its keys to no other address', async () => {
    server.reactions.push({ status: 307, headers: { location: 'http://127.0.0.1:1/' } });
    expect(await failureOf(server.client().jobs.get(1))).toMatchObject({ status: 307, code: 'http_307' });
  });
});

describe('a POST', () => {
  it('keeps its Idempotency-Key over retries; the next one has another', async () => {
    server.reactions.push(busy, 'breaks');
    const client = server.client();
    expect(await client.jobs.create(job)).toMatchObject({ attempts: 3 });
    await client.jobs.create(job);
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[\w-]{36}$/);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it('has the given one', async () => {
    await server.client().jobs.create(job, { idempotencyKey: 'mine' });
    expect(server.received[0]?.headers['idempotency-key']).toBe('mine');
  });

  it('with files sends the same bytes again', async () => {
    server.reactions.push('breaks');
    const application = { applicant: { name: 'Ada', email: 'ada@example.com' } };
    const content = Uint8Array.of(0x25, 0x50, 0xff, 0);
    await server.client().applications.create(3, application, [{ name: 'cv.pdf', content }]);
    const [first, second] = server.received;
    expect(second).toMatchObject({ body: first?.body, url: '/v1.0/jobs/3/applications' });
    expect(second?.headers['content-type']).toBe(first?.headers['content-type']);
    expect(first?.body).toContain('filename="cv.pdf"');
  });
});

it.each<[method: string, send: (client: ReturnType<typeof server.client>) => Promise<unknown>]>([
  ['GET', (client) => client.jobs.get(1)],
  ['PUT', (client) => client.jobs.putByReference({ referenceId: 'a', company: { id: 1 } })],
  ['DELETE', (client) => client.jobs.delete(1)],
])('a %s has no Idempotency-Key', async (method, send) => {
  await send(server.client());
  expect(server.received).toMatchObject([{ method }]);
  expect(server.received[0]?.headers).not.toHaveProperty('idempotency-key');
});

describe('an answer', () => {
  it.each([204, 304])('%d has no data', async (status) => {
    server.reactions.push({ status, body: '' });
    const answer = await server.client().jobs.get(1, { ifNoneMatch: '"1-a"' });
    expect(answer).toMatchObject({ status, data: undefined, warnings: [] });
  });

  it('without warnings has none', async () => {
    server.reactions.push({ status: 200, body: { data: { id: 1 } } });
    expect(await server.client().jobs.get(1)).toMatchObject({ data: { id: 1 }, warnings: [] });
  });

  it('may be a file', async () => {
    server.reactions.push({ status: 200, body: '%PDF' });
    const { data } = await server.client().applications.file(1, 2);
    expect(await data.text()).toBe('%PDF');
  });
});

describe('a retrySignal', () => {
  it('lets an attempt run to its end', async () => {
    const stop = new AbortController();
    const request = server.client().jobs.get(1, { retrySignal: stop.signal });
    stop.abort(new Error('stopped'));
    expect(await request).toMatchObject({ data: { id: 1 } });
    expect(server.received[0]?.url).toBe('/v1.0/jobs/1');
  });

  it('cancels the wait for a retry', async () => {
    server.reactions.push({ status: 503, headers: { 'retry-after': '60' }, body: {} });
    const request = server.client().jobs.get(1, { retrySignal: AbortSignal.timeout(300) });
    await expect(request).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(server.received).toHaveLength(1);
  });
});

describe('a signal', () => {
  it('cancels a request', async () => {
    server.reactions.push('hangs');
    const stop = new AbortController();
    const request = server.client().jobs.get(1, { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(request).rejects.toThrow('stopped');
  });

  it.each(['alone', 'beside a retrySignal'])('cancels the wait for a retry, %s', async (how) => {
    server.reactions.push({ status: 503, headers: { 'retry-after': '60' }, body: {} });
    const signals = how === 'alone' ? {} : { retrySignal: new AbortController().signal };
    const request = server.client().jobs.get(1, { signal: AbortSignal.timeout(300), ...signals });
    await expect(request).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(server.received).toHaveLength(1);
  });
});
