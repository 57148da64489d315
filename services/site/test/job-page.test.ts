import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mongoProxy, testMongoUri, waitFor } from '@joblisting/testing';
import { publicJob, runSite, type RunningSite, START } from './running-site.ts';

const clickThrough = { id: 2, name: 'Click-through' } as const;
let site: RunningSite;
beforeAll(async () => {
  site = await runSite({ SITE_NAME: 'Jobs & more' });
  await site.publishAll([
    publicJob(1, {
      title: 'Welder & "fitter"',
      closeDate: '2026-03-12',
      closesAt: '2026-03-12T12:00:00.000Z',
      description: '<p>Weld <a href="https://example.com/">things</a>.</div><b>Open',
      referenceId: 'ref-1',
    }),
    publicJob(2, {
      applicantRoutingType: clickThrough,
      applicationUrl: 'https://example.com/apply',
      description: 'one\ntwo &lt;b&gt;',
      descriptionFormat: 'text',
    }),
    publicJob(3, { title: '<img src=x onerror=alert(1)>', employer: '"><script>alert(1)</script>' }),
    publicJob(4),
  ]);
});
afterAll(() => site.stop());
beforeEach(() => site.clock.set(START));

const pageOf = async (id: number) => (await site.get(`/Share/Job${id}`)).text();

describe('GET /Share/Job{id} of an open job', () => {
  it('shows what the job is', async () => {
    const html = await pageOf(1);
    expect(html).toContain('<h1>Welder &amp; &quot;fitter&quot;</h1>');
    expect(html).toContain(
      '<dt>Closes</dt><dd><time datetime="2026-03-12T12:00:00.000Z">12 March, 12:00 UTC<',
    );
    expect(html).toContain('<time datetime="2026-03-01">1 March 2026</time>');
    expect(html).toContain('ref-1');
    expect(html).toContain('Leeds, United Kingdom');
    expect(html).toContain('href="/?category=Skilled+Trades"');
    expect(html).toContain('href="/?employer=Company+1"');
    expect(html).toContain('href="/companies/1"');
  });

  it('tells other sites what it is', async () => {
    const html = await pageOf(1);
    expect(html).toContain(`<link rel="canonical" href="${site.origin}/Share/Job1">`);
    expect(html).toContain('<meta name="description" content="Weld things. Open">');
    expect(html).toContain(
      '<meta property="og:title" content="Welder &amp; &quot;fitter&quot; – Company 1">',
    );
    expect(html).toContain('<meta property="og:site_name" content="Jobs &amp; more">');
    expect(html).toContain('<meta name="twitter:card" content="summary">');
    expect(html).not.toContain('noindex');
  });

  it('closes the tags of its description, and marks its links', async () => {
    expect(await pageOf(1)).toContain(
      '<p>Weld <a href="https://example.com/" rel="nofollow noopener noreferrer ugc">things</a>.<b>Open</b></p></div>',
    );
  });

  it('keeps the lines of a text', async () => {
    const html = await pageOf(2);
    expect(html).toContain('class="description text"');
    expect(html).toContain('one\ntwo &lt;b&gt;');
  });

  it('leads to the form, or by way of the site to the employer', async () => {
    expect(await pageOf(1)).toContain('href="/Share/Job1/apply"');
    expect(await pageOf(2)).toMatch(/href="\/Share\/Job2\/out" rel="nofollow"/);
  });

  it('escapes what the employer wrote', async () => {
    const html = await pageOf(3);
    expect(html).not.toContain('<img src=x');
    expect(html).not.toContain('<script>alert');
  });

  it("shows the employer's other jobs", async () => {
    const html = await pageOf(4);
    expect(html).toContain('More jobs at Company 1');
    expect(html).toContain('href="/Share/Job1"');
    expect(html).not.toContain('href="/Share/Job4"');
  });
});

describe('GET /Share/Job{id} while searches fail', () => {
  it("shows the job, without the employer's other jobs", async () => {
    const proxy = await mongoProxy(testMongoUri());
    const own = await runSite({ MONGODB_URI: proxy.uri, LOG_LEVEL: 'silent' });
    try {
      await own.publishAll([publicJob(1), publicJob(2)]);
      proxy.dieWithin('aggregate');
      const response = await own.get('/Share/Job1');
      const html = await response.text();
      expect([response.status, html.includes('<h1>Welder</h1>')]).toEqual([200, true]);
      expect(html).not.toContain('More jobs at');
      await proxy.startAgain();
    } finally {
      await own.stop();
      await proxy.stop();
    }
  });
});

describe('GET /Share/Job{id} of a job with a very long description', () => {
  it.each([
    [31, 'html', `<p>Start <b>${'&lt;b&gt; '.repeat(50_000)}</b></p>`],
    [32, 'text', `Start ${'&lt;b&gt;\n'.repeat(50_000)}`],
    [33, 'html', `<p>Start ${'"'.repeat(400_000)}</p>`],
  ] as const)(
    'shows its beginning, as a page of at most 1 MB (%i: %s)',
    async (id, descriptionFormat, description) => {
      await site.publishAll([publicJob(id, { description, descriptionFormat })]);
      const html = await pageOf(id);
      expect(html.length).toBeLessThan(1024 ** 2);
      expect(html).toMatch(/Start [^]+…(<\/b>)?(<\/p>)?<\/div><\/article>/);
    },
  );
});

describe('GET /Share/Job{id} of a job that is not open', () => {
  it('200 with a banner once its closing instant has come, and no way to apply', async () => {
    site.clock.set('2026-03-12T11:59:59.999Z');
    expect(await pageOf(1)).toContain('/apply"');
    site.clock.set('2026-03-12T12:00:00Z');
    const response = await site.get('/Share/Job1');
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('role="status">This job is closed</p>');
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect(html).not.toContain('/apply"');
    expect(html).not.toContain('application/ld+json');
  });

  it('does not show the closing date of one that its employer closed before', async () => {
    const company = { id: 13, name: 'Alone' };
    const closing = { closeDate: '2026-03-12', closesAt: '2026-03-12T12:00:00.000Z' };
    await site.publish(publicJob(13, { company, ...closing }));
    expect(await pageOf(13)).toContain('12 March');
    site.published.delete(13);
    await site.tell('closed', { jobId: 13, version: 2, statusId: 2 });
    await site.untilClosed(13);
    expect(await pageOf(13)).not.toContain('12 March');
  });

  it('410 for a deleted one, 404 for a hidden one', async () => {
    await site.publishAll([publicJob(11), publicJob(12)]);
    site.published.delete(11);
    site.published.delete(12);
    await site.tell('deleted', { jobId: 11, version: 2 });
    await site.tell('updated', { jobId: 12, version: 2, statusId: 3 });
    await site.untilJob(11, 410);
    await site.untilJob(12, 404);
  });
});

describe('GET /Share/Job{id} again', () => {
  it('304 while the page is the same, 200 once it differs', async () => {
    await site.publish(publicJob(21, { company: { id: 9, name: 'Alone' } }));
    site.published.delete(21);
    await site.tell('closed', { jobId: 21, version: 2, statusId: 2 });
    await waitFor(async () => (await pageOf(21)).includes('This job is closed'), { what: 'the banner' });
    const first = await site.get('/Share/Job21');
    await first.text();
    expect(first.headers.get('Cache-Control')).toBe('private, no-cache');
    const tag = first.headers.get('ETag') ?? '';
    const again = await site.get('/Share/Job21', { 'If-None-Match': `"other", W/${tag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    await site.publish(publicJob(21, { version: 3, title: 'Other', company: { id: 9, name: 'Alone' } }));
    expect((await site.get('/Share/Job21', { 'If-None-Match': tag })).status).toBe(200);
  });
});
