import { describe, expect, it } from '@jest/globals';
import { provinceId } from '@joblisting/geo';
import { mapListing } from './listing.ts';

const context = { companyId: 3, today: '2025-11-21', shiftDays: 0 };
const listing = {
  company_name: 'Dun & Bradstreet',
  id: '694040e9-673d-400c-9fed-0d9b222403bc',
  title: 'Engineer <I>',
  active: true,
  date_posted: Date.UTC(2024, 4, 1, 23) / 1000,
  date_updated: Date.UTC(2024, 5, 30) / 1000,
  url: 'https://jobs.example.com/apply?a=1&b=2',
  locations: ['San Jose, CA', 'NYC', 'Remote in USA'],
};

function mapped(changes: Record<string, unknown>, shiftDays = 0) {
  const result = mapListing({ ...listing, ...changes }, { ...context, shiftDays });
  if ('unmappable' in result) throw new Error(result.unmappable.detail);
  return result;
}

describe('mapListing', () => {
  it('maps every field; the description has title, company and all locations', () => {
    expect(mapped({})).toEqual({
      body: {
        referenceId: '694040e9-673d-400c-9fed-0d9b222403bc',
        company: { id: 3 },
        employer: 'Dun & Bradstreet',
        title: 'Engineer <I>',
        publishDate: '2024-05-01',
        closeDate: null,
        city: 'San Jose',
        province: { id: provinceId('US-CA') },
        types: [],
        description:
          '<p>Engineer &lt;I&gt;, Dun &amp; Bradstreet</p><p>Locations: San Jose, CA; NYC; Remote in USA</p>',
        descriptionFormat: 'html',
        applicantRoutingType: { id: 2 },
        applicationUrl: 'https://jobs.example.com/apply?a=1&b=2',
      },
      notes: [],
      synthesised: true,
    });
  });

  it.each<[name: string, changes: Record<string, unknown>, shiftDays: number, closeDate: string | null]>([
    ['active', {}, 0, null],
    ['inactive: the day of the last update', { active: false }, 0, '2024-06-30'],
    [
      'inactive, without one: the day of publication',
      { active: false, date_updated: undefined },
      0,
      '2024-05-01',
    ],
    ['inactive, moved into the past', { active: false }, 100, '2024-10-08'],
    ['inactive, moved onto today: yesterday', { active: false }, 509, '2025-11-20'],
    ['inactive, moved into the future: yesterday', { active: false }, 900, '2025-11-20'],
    ['inactive, with an unreadable date: yesterday', { active: false, date_updated: {} }, 0, '2025-11-20'],
  ])('closes %s', (_, changes, shiftDays, closeDate) => {
    expect(mapped(changes, shiftDays).body.closeDate).toBe(closeDate);
  });

  it('uses an unknown location as the city, and notes it', () => {
    const { body, notes } = mapped({ locations: ['San Mateo'] });
    expect(body).toMatchObject({ city: 'San Mateo', province: null });
    expect(notes).toEqual([{ code: 'location_unmatched', detail: 'San Mateo' }]);
  });

  it('maps a listing without locations', () => {
    expect(mapped({ locations: [] }).body).toMatchObject({
      city: null,
      province: null,
      description: '<p>Engineer &lt;I&gt;, Dun &amp; Bradstreet</p>',
    });
  });

  it.each([
    ['x', 'not_a_posting'],
    [{ title: 'a' }, 'not_a_posting'],
    [{ ...listing, id: '', url: '' }, 'no_reference'],
  ])('refuses source %#', (source, code) => {
    expect(mapListing(source, context)).toMatchObject({ unmappable: { code } });
  });
});
