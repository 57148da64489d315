import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DOMParser, type Element, onErrorStopParsing } from '@xmldom/xmldom';
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

/** Throws where the text is not well-formed. */
const parse = (xml: string): Element =>
  new DOMParser({ onError: onErrorStopParsing }).parseFromString(xml, 'application/xml').documentElement!;

const children = (parent: Element): Element[] =>
  [...parent.childNodes].filter((node): node is Element => node.nodeType === 1);

const fieldsOf = (parent: Element): Record<string, string> =>
  Object.fromEntries(
    children(parent)
      .filter(({ tagName }) => tagName !== 'job')
      .map(({ tagName, textContent }) => [tagName, textContent ?? '']),
  );

async function feed(path = '/feed/indeed.xml') {
  const response = await site.get(path);
  expect(response.status).toBe(200);
  const source = parse(await response.text());
  const jobs = [...source.getElementsByTagName('job')].map(fieldsOf);
  return { head: fieldsOf(source), jobs, ids: jobs.map((job) => Number(job['referencenumber'])) };
}

describe('GET /feed/indeed.xml', () => {
  it('shows a job with the element names of Indeed', async () => {
    const job = publicJob(1, {
      referenceId: 'R-1',
      employer: 'Leeds Yard',
      closeDate: '2026-04-01',
      closesAt: '2026-04-01T12:00:00.000Z',
      province: { id: 39191482, name: 'California', country: { id: 840, name: '' } },
      types: [
        { id: 1, name: 'Full-time' },
        { id: 5, name: 'Internship' },
      ],
    });
    await storePostings(site, [job]);
    const { head, jobs } = await feed();
    expect(head).toEqual({
      publisher: 'Job search',
      publisherurl: site.origin,
      lastBuildDate: 'Mon, 09 Mar 2026 15:15:00 GMT',
    });
    expect(jobs).toEqual([
      {
        title: 'Welder',
        date: '2026-03-01',
        referencenumber: '1',
        requisitionid: 'R-1',
        url: `${site.origin}/Share/Job1`,
        company: 'Leeds Yard',
        sourcename: 'Company 1',
        city: 'Leeds',
        state: 'CA',
        country: 'US',
        description: '<p>Weld.</p>',
        jobtype: 'fulltime, internship',
        category: 'Skilled Trades',
        expirationdate: '2026-04-01T12:00:00.000Z',
      },
    ]);
  });

  it('leaves out elements without a value', async () => {
    const none = { city: null, province: null, types: [], categories: [] };
    await storePostings(site, [publicJob(1, none)]);
    const { jobs } = await feed();
    expect(Object.keys(jobs[0] ?? {})).toEqual(
      'title date referencenumber url company sourcename description'.split(' '),
    );
  });

  it('stays well-formed whatever texts hold', async () => {
    const title = 'a ]]> b ]]]]> & < \u0000\u0008\uFFFE \u{1F600}';
    await storePostings(site, [publicJob(1, { title, description: '<p>]]></p>' })]);
    const { jobs } = await feed();
    expect(jobs[0]).toMatchObject({
      title: 'a ]]> b ]]]]> & <  \u{1F600}',
      description: '<p>]]></p>',
    });
  });

  it('has all open jobs, newest first', async () => {
    const newer = publicJobs(1, 120, { displayDate: '2026-03-02' });
    await storePostings(site, [...publicJobs(121, 250), ...newer]);
    const ids = Array.from({ length: 250 }, (_, index) => index + 1);
    const { ids: found } = await feed();
    expect(found).toEqual([...ids.slice(0, 120).toReversed(), ...ids.slice(120).toReversed()]);
  });

  it('is packed for clients that accept it', async () => {
    await storePostings(site, publicJobs(1, 3));
    for (const [accepted, encoding] of [
      ['gzip', 'gzip'],
      ['br, gzip;q=0.5', 'gzip'],
      ['gzip;q=0, identity', null],
      ['identity', null],
    ] as const) {
      const response = await site.get('/feed/indeed.xml', { 'accept-encoding': accepted });
      expect([accepted, response.headers.get('content-encoding')]).toEqual([accepted, encoding]);
      expect(response.headers.get('vary')).toBe('Accept-Encoding');
      expect(parse(await response.text()).getElementsByTagName('job')).toHaveLength(3);
    }
  });

  it('shows what the list of jobs shows, on both sides of noon', async () => {
    await site.publish(publicJob(1, { closeDate: '2026-03-11', closesAt: '2026-03-11T12:00:00.000Z' }));
    await site.publish(publicJob(2));
    site.clock.set('2026-03-11T11:59:59.999Z');
    expect((await feed()).ids).toEqual([2, 1]);
    site.clock.set('2026-03-11T12:00:00Z');
    expect((await feed()).ids).toEqual([2]);
    expect((await feed()).head['lastBuildDate']).toBe('Wed, 11 Mar 2026 12:00:00 GMT');
  });
});

describe('GET /companies/{id}/indeed.xml', () => {
  it('shows the jobs of the company', async () => {
    await storePostings(site, [...publicJobs(1, 2), publicJob(3, { company: { id: 2, name: 'Two' } })]);
    expect((await feed('/companies/2/indeed.xml')).ids).toEqual([3]);
  });

  it('changes its ETag when a job of the company is deleted', async () => {
    await site.publish(publicJob(1));
    await site.publish(publicJob(2));
    site.clock.advance(60_000);
    const { headers } = await site.get('/companies/1/indeed.xml');
    await site.tell('deleted', { jobId: 1, version: 2 });
    await site.untilJob(1, 410);
    site.clock.advance(60_000);
    const later = await site.get('/companies/1/indeed.xml', { 'if-none-match': headers.get('etag')! });
    expect(later.status).toBe(200);
    expect(parse(await later.text()).getElementsByTagName('job')).toHaveLength(1);
  });

  it.each(['/companies/9/indeed.xml', '/companies/9999999999/indeed.xml', '/companies/x/indeed.xml'])(
    '404 for %s',
    async (path) => {
      await storePostings(site, publicJobs(1, 1));
      expect(await site.statusOf(path)).toBe(404);
    },
  );
});

describe('a conditional GET /feed/indeed.xml', () => {
  const statusWith = async (headers: Record<string, string>) =>
    (await site.get('/feed/indeed.xml', headers)).status;

  it('304 while nothing changed, 200 after a change and at a close instant', async () => {
    const closing = { closeDate: '2026-03-11', closesAt: '2026-03-11T12:00:00.000Z' };
    await storePostings(site, [publicJob(1, closing), publicJob(2)]);
    const first = await site.get('/feed/indeed.xml');
    const etag = first.headers.get('etag')!;
    const since = first.headers.get('last-modified')!;
    expect(since).toBe('Mon, 09 Mar 2026 15:15:00 GMT');
    expect(await statusWith({ 'if-none-match': etag })).toBe(304);
    expect(await statusWith({ 'if-none-match': `"other", ${etag}` })).toBe(304);
    expect(await statusWith({ 'if-modified-since': since })).toBe(304);
    expect(await statusWith({ 'if-none-match': '"other"', 'if-modified-since': since })).toBe(200);
    site.clock.set('2026-03-11T12:00:00Z');
    expect(await statusWith({ 'if-none-match': etag })).toBe(200);
    expect(await statusWith({ 'if-modified-since': since })).toBe(200);
    await site.publish(publicJob(3));
    expect(await statusWith({ 'if-none-match': etag })).toBe(200);
  });

  it('200 for a feed that was read soon after a change: another one may have been under way', async () => {
    await site.publish(publicJob(1));
    const { headers } = await site.get('/feed/indeed.xml');
    expect(headers.get('last-modified')).toBeNull();
    site.clock.advance(60_000);
    expect(await statusWith({ 'if-none-match': headers.get('etag')! })).toBe(200);
  });
});

describe('HEAD /feed/indeed.xml', () => {
  it('answers the headers of GET without a body', async () => {
    await storePostings(site, publicJobs(1, 1));
    const get = await site.get('/feed/indeed.xml');
    const head = await fetch(`${site.origin}/feed/indeed.xml`, { method: 'HEAD' });
    expect(await head.text()).toBe('');
    expect(head.headers.has('content-length')).toBe(false);
    for (const name of ['etag', 'last-modified', 'content-type', 'vary', 'cache-control'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  });
});
