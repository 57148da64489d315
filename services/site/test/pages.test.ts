import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { findBrowser, openBrowser, type Page, waitFor } from '@joblisting/testing';
import { HtmlValidate } from 'html-validate';
import { looks, problemsOf } from './accessibility.ts';
import { publicJob, runSite, type RunningSite } from './running-site.ts';

const SLOW_MS = 120_000;
const MOST_BYTES = 60_000;
const css = readFileSync(new URL('../assets/site.css', import.meta.url));

/** One address of each kind of page. */
const paths = {
  'the newest jobs': '/',
  'a search': '/?q=welder&where=Leeds&type=Full-time',
  'its last page': '/?q=welder&page=2',
  'a search without results': '/?q=zebra',
  'a page behind the last': '/?q=welder&page=9',
  'a search that cannot be run': '/?page=abc',
  'an open job': '/Share/Job1',
  'an open job as text, at the site of its employer': '/Share/Job2',
  'a closed job': '/Share/Job3',
  'a deleted job': '/Share/Job4',
  'a company': '/companies/1',
  'a company without open jobs': '/companies/2',
  nothing: '/nowhere',
} as const;

let site: RunningSite;
beforeAll(async () => {
  site = await runSite();
  const description = `<p>Weld <b>well</b> at <a href="https://example.com/">our works</a>.</p><ul><li>One</li><li>Two</li></ul>`;
  const many = Array.from({ length: 30 }, (_, index) =>
    publicJob(100 + index, {
      title: `Welder for ${'very '.repeat(index)}long seams`,
      employer: `Employer ${index}`,
      description: description.repeat(20),
      types: [{ id: 1 + (index % 2), name: index % 2 ? 'Part-time' : 'Full-time' }],
      categories: [{ id: index, name: `Category ${index}` }],
      province: { id: index, name: `Region ${index}`, country: { id: index, name: `Country ${index}` } },
      closeDate: '2026-05-01',
      closesAt: '2026-05-01T12:00:00.000Z',
    }),
  );
  await site.publishAll([
    publicJob(1, { description: description.repeat(20), referenceId: 'a-reference' }),
    publicJob(2, {
      title: 'W'.repeat(200),
      description: 'one\n\ntwo',
      descriptionFormat: 'text',
      applicantRoutingType: { id: 2, name: 'Click-through' },
    }),
    publicJob(3, { company: { id: 2, name: 'Closed Ltd' } }),
    publicJob(4),
    ...many,
  ]);
  site.published.delete(3);
  site.published.delete(4);
  await site.tell('closed', { jobId: 3, companyId: 2, version: 2, statusId: 2 });
  await site.tell('deleted', { jobId: 4, version: 2 });
  await site.untilJob(4, 410);
  const isClosed = async () => (await (await site.get('/Share/Job3')).text()).includes('is closed');
  await waitFor(isClosed, { what: 'the closed job' });
});
afterAll(() => site.stop());

describe.each(Object.entries(paths))('the page of %s', (_kind, path) => {
  const validator = new HtmlValidate({
    extends: ['html-validate:standard', 'html-validate:document', 'html-validate:a11y'],
    // Of our own files another release may be sent.
    rules: {
      'require-sri': ['error', { target: 'crossorigin' }],
      'doctype-style': 'off',
      'long-title': 'off',
    },
  });

  it('is valid HTML', async () => {
    const { results } = await validator.validateString(await (await site.get(path)).text());
    expect(results.flatMap(({ messages }) => messages)).toEqual([]);
  });

  it('is light', async () => {
    const html = Buffer.from(await (await site.get(path)).arrayBuffer());
    expect(html.length + css.length).toBeLessThan(MOST_BYTES);
    expect(gzipSync(html).length + gzipSync(css).length).toBeLessThan(MOST_BYTES / 4);
  });
});

const browser = findBrowser();

// Not every machine has a browser; CI brings one.
(browser === undefined ? describe.skip : describe)('in a browser', () => {
  let page: Page;
  beforeAll(async () => {
    page = await openBrowser(browser ?? '');
  });
  afterAll(() => page.close());

  it.each(looks)(
    'every page is accessible and fits at %d px, %s',
    async (width, scheme) => {
      await page.resize(width, 900);
      await page.preferColorScheme(scheme);
      for (const [kind, path] of Object.entries(paths)) {
        await page.open(site.origin + path);
        expect({ kind, problems: await problemsOf(page) }).toEqual({ kind, problems: [] });
      }
    },
    SLOW_MS,
  );

  it('loads nothing from elsewhere, and complains of nothing but the status of errors', () => {
    const isOwn = (url: string) => url.startsWith(site.origin) || url.startsWith('about:');
    expect(page.requests.filter((url) => !isOwn(url))).toEqual([]);
    const unexpected = page.complaints.filter((text) => !/status of 4(00|04|10)/.test(text));
    expect(unexpected).toEqual([]);
  });
});
