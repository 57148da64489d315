import { describe, expect, it } from '@jest/globals';
import type { RawReply } from '@joblisting/bus';
import { cacheAnswers } from './answers.ts';

const limits = { maxAnswers: 3, maxBytes: 10_000, monotonic: () => 0 };
const reply = (text: string, more: Partial<RawReply> = {}): RawReply => ({
  outcome: 'ok',
  data: Buffer.from(JSON.stringify(text)),
  ...more,
});
const keep = (cache: ReturnType<typeof cacheAnswers>, key: string, raw: RawReply) =>
  cache.ask(key, async () => raw, 1000);

describe('an answer that is kept', () => {
  it('is the envelope and the tag', async () => {
    const cache = cacheAnswers(limits);
    await keep(cache, 'a', reply('x', { version: 7 }));
    const ready = cache.find('a');
    expect(Buffer.from(ready?.body ?? []).toString()).toBe('{"data":"x","warnings":[]}');
    expect(ready?.tag).toMatch(/^"7-.{16}"$/);
  });

  it.each([
    ['made something', { outcome: 'created' }],
    ['has warnings', { warnings: [{ code: 'unknown_field', detail: '' }] }],
    ['is a page', { paging: { total: 1, page: 1, pageSize: 1, pages: 1 } }],
  ] as const)('is none that %s', async (_what, more) => {
    const cache = cacheAnswers(limits);
    await keep(cache, 'a', reply('x', more));
    expect(cache.find('a')).toBeUndefined();
  });
});

describe('a full cache', () => {
  it('lets what was put in first go', async () => {
    const cache = cacheAnswers(limits);
    for (const key of ['a', 'b', 'a', 'c', 'd']) await keep(cache, key, reply(key));
    expect(['a', 'b', 'c', 'd'].map((key) => cache.find(key) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
    expect(cache.size().answers).toBe(3);
  });

  it('counts bytes as well, and takes nothing that is most of them', async () => {
    const cache = cacheAnswers({ ...limits, maxAnswers: 100 });
    await keep(cache, 'large', reply('x'.repeat(2000)));
    expect(cache.find('large')).toBeUndefined();
    for (let turn = 0; turn < 50; turn++) await keep(cache, `key ${turn}`, reply('x'.repeat(turn)));
    expect(cache.size().bytes).toBeLessThanOrEqual(10_000);
    expect(cache.size().answers).toBeGreaterThan(10);
    cache.drop();
    expect(cache.size()).toEqual({ answers: 0, bytes: 0 });
  });
});
