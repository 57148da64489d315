import { describe, expect, it } from '@jest/globals';
import type { RawReply } from '@joblisting/bus';
import { publicCache } from './public-cache.ts';

const reply = (text: string, more: Partial<RawReply> = {}): RawReply => ({
  outcome: 'ok',
  data: Buffer.from(JSON.stringify(text)),
  ...more,
});

function setUp(most = 100, mostBytes = 10_000) {
  const cache = publicCache(() => 0, most, mostBytes);
  let requests = 0;
  const get = (key: string, raw = reply(key)) =>
    cache.get(key, 1000, async () => {
      requests++;
      return raw;
    });
  /** How many requests reach the owner for these keys. */
  const requestsFor = async (...keys: string[]) => {
    const before = requests;
    for (const key of keys) await get(key);
    return requests - before;
  };
  return { cache, get, requestsFor };
}

describe('an answer that is kept', () => {
  it('is the envelope and the tag', async () => {
    const { get } = setUp();
    const { body, tag } = await get('a', reply('x', { version: 7 }));
    expect([body, tag]).toEqual(['{"data":"x","warnings":[]}', expect.stringMatching(/^"7-.{16}"$/)]);
  });

  it.each([
    ['made something', { outcome: 'created' }],
    ['has warnings', { warnings: [{ code: 'unknown_field', detail: '' }] }],
    ['is a page', { paging: { total: 1, page: 1, pageSize: 1, pages: 1 } }],
  ] as const)('is none that %s', async (_what, more) => {
    const { get, requestsFor } = setUp();
    await get('a', reply('x', more));
    expect(await requestsFor('a')).toBe(1);
  });
});

describe('a full cache', () => {
  it('drops the least recently used', async () => {
    const { requestsFor, cache } = setUp(3);
    expect(await requestsFor('a', 'b', 'a', 'c', 'd')).toBe(4);
    expect(cache.size().answers).toBe(3);
    expect(await requestsFor('a', 'c', 'd')).toBe(0);
    expect(await requestsFor('b')).toBe(1);
  });

  it('counts bytes as well, and keeps nothing that is most of them', async () => {
    const { cache, get, requestsFor } = setUp();
    await get('large', reply('x'.repeat(2000)));
    expect(await requestsFor('large')).toBe(1);
    for (let turn = 0; turn < 50; turn++) await get(`key ${turn}`, reply('x'.repeat(turn)));
    expect(cache.size().bytes).toBeLessThanOrEqual(10_000);
    expect(cache.size().answers).toBeGreaterThan(10);
    cache.drop();
    expect(cache.size()).toEqual({ answers: 0, bytes: 0 });
  });
});
