import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { publicJob, runSite, type RunningSite, START } from './running-site.ts';
import { publicJobs, removePostings, storePostings } from './stored-postings.ts';

let site: RunningSite;
beforeAll(async () => {
  site = await runSite();
});
afterAll(() => site.stop());
beforeEach(async () => {
  site.clock.set(START);
  await removePostings(site);
});

interface JsonFeed {
  readonly version: string;
  readonly title: string;
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly next_url?: string;
}

const feed = async (path = '/feed.json') => (await (await site.get(path)).json()) as JsonFeed;

describe('GET /feed.json', () => {
  it('has what JSON Feed 1.1 requires', async () => {
    const clickThrough = {
      applicantRoutingType: { id: 2 as const, name: 'Click-through' },
      applicationUrl: 'https://jobs.example.com/7',
    };
    await storePostings(site, [publicJob(1, { ...clickThrough, title: 'Say "hi"' })]);
    const response = await site.get('/feed.json');
    expect(response.headers.get('content-type')).toBe('application/feed+json; charset=utf-8');
    const url = `${site.origin}/Share/Job1`;
    expect(await response.json()).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Job search',
      home_page_url: `${site.origin}/`,
      feed_url: `${site.origin}/feed.json`,
      language: 'en',
      items: [
        {
          id: url,
          url,
          external_url: 'https://jobs.example.com/7',
          title: 'Say "hi"',
          content_html: '<p>Weld.</p>',
          date_published: '2026-03-01T00:00:00Z',
          authors: [{ name: 'Company 1' }],
          tags: ['Skilled Trades'],
        },
      ],
    });
  });

  it('has no items where no job is open', async () => {
    await storePostings(site, [publicJob(1, { closesAt: START })]);
    expect((await feed()).items).toEqual([]);
  });

  it('shows the newest 100, and leads to the others page by page', async () => {
    await storePostings(site, [
      ...publicJobs(1, 130),
      ...publicJobs(131, 250, { displayDate: '2026-02-01' }),
    ]);
    const urls: unknown[] = [];
    let pages = 0;
    for (let path: string | undefined = '/feed.json'; path !== undefined; pages += 1) {
      const { items, next_url: next } = await feed(path);
      expect(items.length).toBeLessThanOrEqual(100);
      urls.push(...items.map(({ url }) => url));
      path = next?.slice(site.origin.length);
    }
    expect(pages).toBe(3);
    const ids = Array.from({ length: 250 }, (_, index) => index + 1);
    const expected = [...ids.slice(0, 130).toReversed(), ...ids.slice(130).toReversed()];
    expect(urls).toEqual(expected.map((id) => `${site.origin}/Share/Job${id}`));
  });

  it('has no next page after exactly 100', async () => {
    await storePostings(site, publicJobs(1, 100));
    const { items, next_url: next } = await feed();
    expect([items.length, next]).toEqual([100, undefined]);
  });

  it.each(['x', '2026-03-01', '2026-03-01_', '2026-03-01_1&after=2026-03-01_2', ''])(
    '404 for the position %j',
    async (after) => {
      expect(await site.statusOf(`/feed.json?after=${after}`)).toBe(404);
    },
  );
});
