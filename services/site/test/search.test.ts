import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { searchStore } from '../src/store/search-store.ts';
import { publicJob, runSite, type RunningSite, START } from './running-site.ts';

const uk = { id: 826, name: 'United Kingdom of Great Britain and Northern Ireland' };
const canada = { id: 124, name: 'Canada' };
const inCanada = { city: 'Toronto', province: { id: 1, name: 'Ontario', country: canada } };
const inLondon = { city: 'Soho, London', province: { id: null, name: null, country: uk } };
const category = (id: number, name: string) => ({ categories: [{ id, name }] });
const partTime = { types: [{ id: 2, name: 'Part-time' }] };
const XSS = '<script>alert(1)</script>';

const jobs = [
  publicJob(1, { title: 'Staff Nurse', employer: 'Ward & Sons', ...inLondon, ...category(5, 'Health Care') }),
  publicJob(2, { title: 'Nurse Manager', ...inCanada, ...category(5, 'Health Care'), ...partTime }),
  publicJob(3, { title: 'C++ Developer', ...inCanada, description: '<p>Not for a nurse. Templates.</p>' }),
  publicJob(4, { title: 'C Developer', ...inLondon, displayDate: '2026-03-02' }),
  publicJob(5, {
    title: 'Café Manager',
    description: 'Line',
    closeDate: '2026-03-12',
    closesAt: '2026-03-12T12:00:00.000Z',
  }),
  publicJob(6, { title: XSS, employer: `${XSS}"'`, city: XSS, ...category(6, XSS) }),
  ...Array.from({ length: 45 }, (_, index) =>
    publicJob(100 + index, { title: `Welder ${index}`, company: { id: 2, name: 'Many Ltd' } }),
  ),
];

let site: RunningSite;
beforeAll(async () => {
  site = await runSite();
  await site.publishAll(jobs);
}, 60_000);
afterAll(() => site.stop());
beforeEach(() => site.clock.set(START));

const pageOf = async (query: Record<string, string> | string) => {
  const parameters = typeof query === 'string' ? query : new URLSearchParams(query).toString();
  const response = await site.get(`/?${parameters}`);
  return { status: response.status, html: await response.text() };
};
const idsIn = (html: string) => [...html.matchAll(/href="\/Share\/Job(\d+)"/g)].map(([, id]) => Number(id));
const find = async (query: Record<string, string>) => idsIn((await pageOf(query)).html);

describe('GET / finds jobs', () => {
  it('without parameters: the newest first, with the number of all', async () => {
    const { html } = await pageOf('');
    expect(idsIn(html).slice(0, 2)).toEqual([4, 144]);
    expect(html).toContain(`${jobs.length} open`);
  });

  it.each<[string, Record<string, string>, number[]]>([
    ['words, those in the title first', { q: 'nurse' }, [2, 1, 3]],
    ['all words, in any order and case', { q: 'MANAGER nurse' }, [2]],
    ['words of the employer', { q: 'sons' }, [1]],
    ['words without their marks', { q: 'cafe' }, [5]],
    ['words with signs', { q: 'c++' }, [3]],
    ['words that look like operators', { q: '-nurse "manager' }, [2]],
    ['a town', { where: 'toronto' }, [3, 2]],
    ['a part of a town', { where: 'London' }, [4, 1]],
    ['a country by its everyday name', { where: 'united kingdom', q: 'developer' }, [4]],
    ['a country by its official name', { where: uk.name, q: 'developer' }, [4]],
    ['a town with its region', { where: 'Toronto, Ontario' }, [3, 2]],
    ['a category', { category: 'health care' }, [2, 1]],
    ['a type', { type: 'Part-time' }, [2]],
    ['an employer', { employer: 'ward & sons' }, [1]],
    [
      'everything together',
      { q: 'nurse', where: 'London', category: 'Health Care', type: 'Full-time', employer: 'Ward & Sons' },
      [1],
    ],
  ])('by %s', async (_what, query, ids) => expect(await find(query)).toEqual(ids));

  it('until the instant at which they close', async () => {
    site.clock.set('2026-03-12T11:59:59.999Z');
    expect(await find({ q: 'café' })).toEqual([5]);
    site.clock.set('2026-03-12T12:00:00Z');
    expect(await find({ q: 'café' })).toEqual([]);
  });
});

describe('GET / says what to do', () => {
  it.each<Record<string, string>>([{ q: 'zebra' }, { type: 'nothing' }, { where: 'Leeds, Canada' }])(
    'where nothing is found: %o',
    async (query) => {
      const { status, html } = await pageOf(query);
      expect(status).toBe(200);
      expect(html).toContain('No jobs found');
      expect(html).toContain('see all jobs');
    },
  );

  it('behind the last page', async () => {
    const { status, html } = await pageOf({ q: 'welder', page: '9' });
    expect(status).toBe(200);
    expect(html).toContain('href="/?q=welder"');
  });

  it.each([
    'page=abc',
    'page=0',
    'page=51',
    'page=1&page=2',
    'q=a&q=b',
    `q=${'a'.repeat(101)}`,
    `where=${'%F0%9F%98%80'.repeat(500)}`,
    'employer[$ne]=x&q=a&q=b',
  ])('400 for %s', async (query) => {
    const { status, html } = await pageOf(query);
    expect(status).toBe(400);
    expect(html).toContain('<h1>This search cannot be run</h1>');
  });

  it('nothing about parameters that it does not know, or that are empty', async () => {
    const { status, html } = await pageOf('q=&where=&category=&utm_source=x&__proto__=x&q[$gt]=x&page=1');
    expect(status).toBe(200);
    expect(html).toContain('Newest jobs');
  });
});

describe('GET / pages', () => {
  it('show each job once, and lead to each other with the search', async () => {
    const first = await pageOf({ q: 'welder', where: 'Leeds' });
    expect(first.html).toContain('rel="next" href="/?q=welder&amp;where=Leeds&amp;page=2"');
    expect(first.html).not.toContain('rel="prev"');
    const second = await pageOf({ q: 'welder', where: 'Leeds', page: '2' });
    expect(second.html).toContain('rel="prev" href="/?q=welder&amp;where=Leeds"');
    const third = await pageOf({ q: 'welder', where: 'Leeds', page: '3' });
    expect(third.html).not.toContain('rel="next"');
    const all = [first, second, third].flatMap(({ html }) => idsIn(html));
    expect(all).toHaveLength(45);
    expect(new Set(all).size).toBe(45);
  });
});

describe('GET / narrows', () => {
  it('by counted values that keep the other parameters', async () => {
    const { html } = await pageOf({ q: 'nurse' });
    expect(html).toContain('<h2 id="found">3 jobs</h2>');
    expect(html).toMatch(
      /href="\/\?q=nurse&amp;category=Health\+Care"><span>Health Care<\/span> <span class="count">2</,
    );
    expect(html).toMatch(/href="\/\?q=nurse&amp;type=Part-time"/);
    expect(html).toMatch(/href="\/\?q=nurse&amp;employer=Ward\+%26\+Sons"/);
    expect(html).toMatch(/href="\/\?q=nurse&amp;where=Canada"/);
    expect(html).toMatch(/href="\/\?q=nurse&amp;where=Ontario"/);
  });

  it('within a place that was chosen', async () => {
    const { html } = await pageOf({ q: 'manager', where: 'Leeds' });
    expect(html).not.toContain('<h2>Country</h2>');
  });

  it('and widens again by removing what was chosen', async () => {
    const { html } = await pageOf({ q: 'nurse', category: 'Health Care', page: '1' });
    expect(html).toMatch(/<li><a href="\/\?q=nurse"><span class="hidden">Remove <\/span>Health Care/);
    expect(html).toMatch(/<li><a href="\/\?category=Health\+Care"><span class="hidden">Remove <\/span>nurse/);
    expect(html).toContain('<input type="hidden" name="category" value="Health Care">');
  });
});

describe('GET / escapes', () => {
  it.each<Record<string, string>>([
    { q: `${XSS}"'` },
    { where: `"><img src=x onerror=alert(1)>` },
    { employer: XSS },
    { category: XSS },
    { q: 'alert' },
  ])('%o', async (query) => {
    const { html } = await pageOf(query);
    expect(html).not.toContain('<script');
    expect(html).not.toContain('<img');
    expect(html).not.toContain('"\'"');
  });
});

describe('more searches by words than the database can do', () => {
  it('are refused, and other pages go on', async () => {
    const searches = searchStore(site.mongo);
    const now = site.clock.now();
    const byWord = { words: ['gardener'], places: [] };
    const waiting = Array.from({ length: 60 }, () => searches.find(byWord, { limit: 20 }, now));
    const results = Promise.allSettled(waiting);
    await expect(searches.find({ words: [], places: [] }, { limit: 20 }, now)).resolves.toBeDefined();
    const refused = (await results).filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(16);
    expect(refused.length).toBeLessThanOrEqual(20);
    expect(refused[0]).toMatchObject({ reason: { code: 'overloaded' } });
  });
});
