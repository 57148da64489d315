import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import { publicJob, runSite, type RunningSite, START } from './running-site.ts';
import { publicJobs, removePostings, storeIds, storePostings } from './stored-postings.ts';

let site: RunningSite;
beforeAll(async () => {
  site = await runSite();
});
afterAll(() => site.stop());
beforeEach(async () => {
  site.clock.set(START);
  await removePostings(site);
});

const parse = (xml: string) =>
  new DOMParser({ onError: onErrorStopParsing }).parseFromString(xml, 'application/xml').documentElement!;

async function sitemap(path = '/sitemap.xml') {
  const response = await site.get(path);
  const xml = await response.text();
  const root = parse(xml);
  const textsOf = (name: string) => [...root.getElementsByTagName(name)].map((one) => one.textContent);
  return { status: response.status, xml, root, urls: textsOf('loc'), lastmods: textsOf('lastmod') };
}

const pageOf = (id: number) => `${site.origin}/Share/Job${id}`;

describe('GET /sitemap.xml', () => {
  it('has the home page and the pages of open jobs', async () => {
    await storePostings(site, [publicJob(1), publicJob(2, { closesAt: START }), publicJob(3)]);
    const { root, urls, lastmods } = await sitemap();
    expect([root.tagName, root.namespaceURI]).toEqual([
      'urlset',
      'http://www.sitemaps.org/schemas/sitemap/0.9',
    ]);
    expect(urls).toEqual([`${site.origin}/`, pageOf(1), pageOf(3)]);
    expect(lastmods).toEqual(['2026-03-09T15:15:00.000Z', '2026-03-09T15:15:00.000Z']);
  });

  it('has no closed, hidden or deleted job', async () => {
    for (const id of [11, 12, 13, 14]) await site.publish(publicJob(id));
    for (const id of [11, 12, 13]) site.published.delete(id);
    await site.tell('closed', { jobId: 11, version: 2, statusId: 2 });
    await site.tell('updated', { jobId: 12, version: 2, statusId: 3 });
    await site.tell('deleted', { jobId: 13, version: 2 });
    await site.untilJob(12, 404);
    await site.untilJob(13, 410);
    await site.untilClosed(11);
    expect((await sitemap()).urls).toEqual([`${site.origin}/`, pageOf(14)]);
  });

  it('304 where nothing changed', async () => {
    await storePostings(site, publicJobs(1, 1));
    const etag = (await site.get('/sitemap.xml')).headers.get('etag')!;
    expect((await site.get('/sitemap.xml', { 'if-none-match': etag })).status).toBe(304);
  });
});

describe('GET /robots.txt', () => {
  it('names the sitemap, and what is not to be read', async () => {
    const response = await site.get('/robots.txt');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect((await response.text()).split('\n')).toEqual([
      'User-agent: *',
      'Allow: /',
      'Disallow: /?',
      'Disallow: /companies/*?',
      'Disallow: /count',
      'Disallow: /Share/*/apply',
      'Disallow: /Share/*/out',
      '',
      `Sitemap: ${site.origin}/sitemap.xml`,
      '',
    ]);
  });
});

describe('GET /sitemap.xml of 50,000 jobs', () => {
  it('is an index of parts', async () => {
    await storeIds(site, 49_990, 50_000);
    await storeIds(site, 100_001, 149_990);
    const { root, urls } = await sitemap();
    expect(root.tagName).toBe('sitemapindex');
    expect(urls).toEqual([`${site.origin}/sitemap-0.xml`, `${site.origin}/sitemap-2.xml`]);
    const first = await sitemap('/sitemap-0.xml');
    expect([first.urls.length, first.urls[0], first.urls.at(-1)]).toEqual([
      11,
      pageOf(49_990),
      pageOf(50_000),
    ]);
    const third = await sitemap('/sitemap-2.xml');
    expect(new Set(third.urls).size).toBe(49_990);
    expect(Buffer.byteLength(third.xml)).toBeLessThan(50 * 1024 * 1024);
    for (const part of ['1', '3', '99999', '100000', 'x'])
      expect([part, await site.statusOf(`/sitemap-${part}.xml`)]).toEqual([part, 404]);
  }, 60_000);
});
