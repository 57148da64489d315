import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { busy, failureOf, startServer } from './server.ts';

let server: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  server.reactions.length = 0;
  server.received.length = 0;
});
afterAll(() => server.stop());

const page = (ids: readonly number[], next: string, hasMore = false) =>
  ({
    status: 200,
    body: { data: ids.map((id) => ({ id })), paging: { next, hasMore }, warnings: [] },
  }) as const;
const urls = () => server.received.map(({ url }) => url);

describe('events.follow', () => {
  it('yields pages with events and waits for more after the cursor of the last one', async () => {
    server.reactions.push(page([1, 2], 'b', true), page([], 'c'), busy, page([3], 'd'));
    const seen: [number, string][] = [];
    for await (const { data, paging } of server
      .client()
      .events.follow({ 'company.id': 1, after: 'a', limit: 2 })) {
      seen.push([data.length, paging.next]);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual([
      [2, 'b'],
      [1, 'd'],
    ]);
    const query = 'wait=25&company.id=1&after=';
    expect(urls()).toEqual(['a', 'b', 'c', 'c'].map((after) => `/v1.0/events?${query}${after}&limit=2`));
  });

  it('pauses where the service does not wait', async () => {
    server.reactions.push(page([], 'a'), page([1], 'b'));
    const startedAt = performance.now();
    for await (const _page of server.client().events.follow({ 'company.id': 1 })) break;
    expect(performance.now() - startedAt).toBeGreaterThan(950);
  });

  it('ends with the reason of an aborted signal', async () => {
    const stop = new AbortController();
    server.reactions.push('hangs');
    const following = server.client().events.follow({ 'company.id': 1 }, { signal: stop.signal }).next();
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(following).rejects.toThrow('enough');
  });

  it('ends with an error that says where to begin again once its cursor expired', async () => {
    const snapshot = 'https://jobs.example.com/v1.0/jobs/changes?company.id=1';
    server.reactions.push({ status: 410, body: { code: 'cursor_expired', detail: 'Too old.', snapshot } });
    const following = server.client().events.follow({ 'company.id': 1, after: 'a' }).next();
    expect(await failureOf(following)).toMatchObject({ status: 410, code: 'cursor_expired', snapshot });
  });
});

describe('jobs.changes', () => {
  it('yields pages until there are no more, also empty ones', async () => {
    server.reactions.push(page([1], 'b', true), page([], 'c', true), page([2], 'd'));
    const seen = [];
    for await (const { data, paging } of server.client().jobs.changes({ 'company.id': 1 }))
      seen.push([data.length, paging.next]);
    expect(seen).toEqual([
      [1, 'b'],
      [0, 'c'],
      [1, 'd'],
    ]);
    expect(urls()).toEqual(
      ['', '&after=b', '&after=c'].map((more) => `/v1.0/jobs/changes?company.id=1${more}`),
    );
  });
});
