import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PublicJob } from '@joblisting/contracts';
import { findingsOf, jsonLdOf } from '@joblisting/testing';
import { publicJob, runSite, type RunningSite, START } from './running-site.ts';
import { storePostings } from './stored-postings.ts';

let site: RunningSite;
let lastId = 0;
beforeAll(async () => {
  site = await runSite();
});
afterAll(() => site.stop());

async function pageOf(more: Partial<PublicJob> = {}): Promise<string> {
  lastId += 1;
  await storePostings(site, [publicJob(lastId, more)]);
  return (await site.get(`/Share/Job${lastId}`)).text();
}

const jsonLd = async (more?: Partial<PublicJob>) => jsonLdOf(await pageOf(more));

describe('JSON-LD of an open job', () => {
  it('shows all that is known of it', async () => {
    const posting = await jsonLd({
      referenceId: 'R-1',
      employer: 'Leeds Yard',
      closeDate: '2026-04-01',
      closesAt: '2026-04-01T12:00:00.000Z',
      types: [
        { id: 2, name: 'Part-time' },
        { id: 3, name: 'Contract' },
      ],
    });
    const page = `${site.origin}/Share/Job${lastId}`;
    expect(posting).toEqual({
      '@context': 'https://schema.org',
      '@type': 'JobPosting',
      title: 'Welder',
      description: '<p>Weld.</p>',
      identifier: { '@type': 'PropertyValue', name: 'Leeds Yard', value: 'R-1' },
      datePosted: '2026-03-01',
      validThrough: '2026-04-01T12:00:00.000Z',
      employmentType: ['PART_TIME', 'CONTRACTOR'],
      hiringOrganization: { '@type': 'Organization', name: 'Leeds Yard' },
      jobLocation: {
        '@type': 'Place',
        address: { '@type': 'PostalAddress', addressLocality: 'Leeds', addressCountry: 'GB' },
      },
      occupationalCategory: ['Skilled Trades'],
      directApply: true,
      url: page,
      mainEntityOfPage: page,
    });
  });

  it('leaves out what is not known', async () => {
    const posting = await jsonLd({ city: null, province: null, categories: [], types: [] });
    expect(Object.keys(posting!)).toEqual([
      '@context',
      '@type',
      'title',
      'description',
      'identifier',
      'datePosted',
      'hiringOrganization',
      'directApply',
      'url',
      'mainEntityOfPage',
    ]);
    expect(posting).toMatchObject({
      identifier: { value: String(lastId) },
      hiringOrganization: { name: 'Company 1' },
    });
  });

  it('leads to the employer where applicants click through', async () => {
    const posting = await jsonLd({
      applicantRoutingType: { id: 2, name: 'Click-through' },
      applicationUrl: 'https://jobs.example.com/7',
    });
    const mainEntityOfPage = `${site.origin}/Share/Job${lastId}`;
    expect(posting).toMatchObject({
      url: 'https://jobs.example.com/7',
      mainEntityOfPage,
      directApply: false,
    });
  });

  it.each([
    [{ id: 39191482, name: 'California', country: { id: 840, name: '' } }, 'California', 'US'],
    [{ id: null, name: null, country: { id: 826, name: '' } }, undefined, 'GB'],
  ])('names province and country of %j', async (province, addressRegion, addressCountry) => {
    const { jobLocation } = (await jsonLd({ city: null, province }))!;
    expect(jobLocation).toEqual({
      '@type': 'Place',
      address: { '@type': 'PostalAddress', addressRegion, addressCountry },
    });
  });

  it.each([
    ['text', 'One & two\nthree\r\n&lt;4', 'One & two<br>three<br>&lt;4'],
    ['text', 'No tag &amp; one line', '<p>No tag &amp; one line</p>'],
    ['html', 'No tag &lt;b&gt;', '<p>No tag &lt;b&gt;</p>'],
    ['html', '<p>Lines\nstay</p>', '<p>Lines\nstay</p>'],
  ] as const)('shows the %s %j as HTML', async (descriptionFormat, description, html) => {
    expect(await jsonLd({ description, descriptionFormat })).toMatchObject({ description: html });
  });

  it('cannot be ended by a text', async () => {
    const title = '</script><script>alert(1)</script> <!-- & \u2028\u2029 -->';
    const html = await pageOf({ title });
    const script = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
    expect(script).not.toMatch(/[<>&\u2028\u2029]/);
    expect(jsonLdOf(html)).toMatchObject({ title });
  });

  it("meets Google's rules", async () => {
    const required = findingsOf((await jsonLd())!).filter(({ level }) => level === 'required');
    expect(required).toEqual([]);
  });
});

describe('JSON-LD of a closed job', () => {
  it('is absent', async () => {
    const html = await pageOf({ closeDate: '2026-03-10', closesAt: START });
    expect(jsonLdOf(html)).toBeUndefined();
  });
});
