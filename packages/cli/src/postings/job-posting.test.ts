import { describe, expect, it } from '@jest/globals';
import { mapJobPosting } from './job-posting.ts';

const context = { companyId: 3, today: '2025-11-21', shiftDays: 0 };
const posting = {
  '@context': 'http://schema.org',
  '@type': 'JobPosting',
  datePosted: '2020-10-15T10:50:17+0100',
  validThrough: '2020-11-30T23:59:59+0000',
  title: 'Registered A&amp;E Nurse',
  description: '&lt;p&gt;Care &amp;amp; more&lt;/p&gt;',
  employmentType: 'TEMPORARY',
  hiringOrganization: { '@type': 'Organization', name: 'Symphony ' },
  jobLocation: { '@type': 'Place', address: { addressLocality: 'Bath', addressCountry: 'GB' } },
  url: 'https://jobs.example.com/vacancy/915390428',
};

function mapped(changes: Record<string, unknown>, shiftDays = 0) {
  const result = mapJobPosting({ ...posting, ...changes }, { ...context, shiftDays });
  if ('unmappable' in result) throw new Error(result.unmappable.detail);
  return result;
}

describe('mapJobPosting', () => {
  it('maps every field', () => {
    expect(mapped({})).toEqual({
      body: {
        referenceId: 'https://jobs.example.com/vacancy/915390428',
        company: { id: 3 },
        employer: 'Symphony ',
        title: 'Registered A&E Nurse',
        publishDate: '2020-10-15',
        closeDate: '2020-11-30',
        city: 'Bath',
        province: { country: { id: 826 } },
        types: [{ id: 4 }],
        description: '<p>Care &amp; more</p>',
        descriptionFormat: 'html',
        applicantRoutingType: { id: 2 },
        applicationUrl: 'https://jobs.example.com/vacancy/915390428',
      },
      notes: [{ code: 'entities_decoded', detail: 'title Registered A&amp;E Nurse' }],
      synthesised: false,
    });
  });

  it('moves both dates by the same number of days', () => {
    expect(mapped({}, 10).body).toMatchObject({ publishDate: '2020-10-25', closeDate: '2020-12-10' });
  });

  it.each<[changes: Record<string, unknown>, body: Record<string, unknown>]>([
    [{ identifier: { '@type': 'PropertyValue', value: 'REQ-7' } }, { referenceId: 'REQ-7' }],
    [{ '@id': 'urn:job:7' }, { referenceId: 'urn:job:7' }],
    [{ id: 7 }, { referenceId: '7' }],
    [{ validThrough: undefined }, { closeDate: null }],
    [{ datePosted: 'yesterday' }, { publishDate: 'yesterday' }],
    [{ hiringOrganization: 'x'.repeat(60) }, { employer: 'x'.repeat(60) }],
    [{ hiringOrganization: undefined }, { employer: null }],
    [{ jobLocation: [] }, { city: null, province: null }],
    [
      { jobLocation: undefined, applicantLocationRequirements: { '@type': 'Country', name: 'USA' } },
      { city: null, province: { country: { id: 840 } } },
    ],
    [{ title: 7 }, { title: 7 }],
    [{ url: undefined, id: 'a' }, { applicationUrl: null }],
  ])('maps %j to %j', (changes, body) => {
    expect(mapped(changes).body).toMatchObject(body);
  });

  it('notes what the job cannot show', () => {
    const { notes } = mapped({
      title: 'Nurse',
      employmentType: ['FULL_TIME', 'APPRENTICE'],
      jobLocation: [{ address: { addressLocality: 'A', addressCountry: 'Narnia' } }, posting.jobLocation],
    });
    expect(notes).toEqual([
      { code: 'location_unmatched', detail: 'Narnia' },
      { code: 'locations_left_out', detail: '1 after the first' },
      { code: 'type_unmatched', detail: 'employmentType APPRENTICE' },
    ]);
  });

  it.each([
    [null, 'not_a_posting'],
    [[posting], 'not_a_posting'],
    [{ ...posting, '@type': 'Event' }, 'not_a_posting'],
    [{ ...posting, url: undefined }, 'no_reference'],
  ])('refuses source %#', (source, code) => {
    expect(mapJobPosting(source, context)).toMatchObject({ unmappable: { code } });
  });

  it('accepts the type in a list and as a URL', () => {
    expect(mapped({ '@type': ['Thing', 'https://schema.org/JobPosting'] }).synthesised).toBe(false);
  });
});
