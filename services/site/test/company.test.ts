import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { publicJob, runSite, type RunningSite } from './running-site.ts';

let site: RunningSite;
beforeAll(async () => {
  site = await runSite();
  const company = { id: 7, name: 'Ward <b>& Sons' };
  await site.publishAll([
    ...Array.from({ length: 21 }, (_, index) => publicJob(1 + index, { company })),
    publicJob(50, { company: { id: 8, name: 'Other' } }),
  ]);
});
afterAll(() => site.stop());

const pageOf = async (path: string) => (await site.get(path)).text();

describe('GET /companies/{id}', () => {
  it('shows the open jobs of the company, page by page', async () => {
    const first = await pageOf('/companies/7');
    expect(first).toContain('<h1>Jobs at Ward &lt;b&gt;&amp; Sons</h1>');
    expect(first.match(/href="\/Share\/Job/g)).toHaveLength(20);
    expect(first).toContain('href="/companies/7?page=2"');
    expect(first).toContain('href="/companies/7/indeed.xml"');
    expect(first).toContain(`<link rel="canonical" href="${site.origin}/companies/7">`);
    const second = await pageOf('/companies/7?page=2');
    expect(second.match(/href="\/Share\/Job/g)).toHaveLength(1);
    expect(second).toContain('rel="prev" href="/companies/7"');
    expect(await pageOf('/companies/7?page=3')).toContain('There are fewer pages');
  });

  it('200 without a job once all have closed', async () => {
    site.published.delete(50);
    await site.tell('closed', { jobId: 50, companyId: 8, version: 2, statusId: 2 });
    const text = 'No job of this company is open now';
    await waitFor(async () => (await pageOf('/companies/8')).includes(text), { what: text });
  });

  it.each(['/companies/999', '/companies/99999999999', '/companies/x', '/companies'])(
    '404 for %s',
    async (path) => expect(await site.statusOf(path)).toBe(404),
  );

  it.each(['page=0', 'page=x', 'page=51', 'page=1&page=2'])('400 for %s', async (query) =>
    expect(await site.statusOf(`/companies/7?${query}`)).toBe(400),
  );
});
