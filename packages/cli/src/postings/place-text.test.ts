import { describe, expect, it } from '@jest/globals';
import { countryByCode, provinceId } from '@joblisting/geo';
import { placeOfText } from './place-text.ts';

describe('placeOfText', () => {
  it.each<[text: string, city: string | null, area: string | null]>([
    ['San Jose, CA', 'San Jose', 'US-CA'],
    ['Wilmington, DE', 'Wilmington', 'US-DE'],
    ['Philadelphia, Pa', 'Philadelphia', 'US-PA'],
    ['Redmond, Washington', 'Redmond', 'US-WA'],
    ['New York City, New York', 'New York City', 'US-NY'],
    ['West Redlands, Redlands, CA', 'West Redlands, Redlands', 'US-CA'],
    ['Chicago, IL, USA', 'Chicago', 'US-IL'],
    ['Vancouver, BC', 'Vancouver', 'CA-BC'],
    ['Vancouver, WA', 'Vancouver', 'US-WA'],
    ['Toronto, ON, Canada', 'Toronto', 'CA-ON'],
    ['Kanata, Ottawa, ON, Canada', 'Kanata, Ottawa', 'CA-ON'],
    ['London, UK', 'London', 'GB'],
    ['York, UK', 'York', 'GB-YOR'],
    ['Scotland, UK', null, 'GB-SCT'],
    ['NYC', 'New York', 'US-NY'],
    ['SF', 'San Francisco', 'US-CA'],
    ['LA', 'Los Angeles', 'US-CA'],
    ['California', null, 'US-CA'],
    ['United States', null, 'US'],
    ['Canada', null, 'CA'],
    ['Singapore', null, 'SG'],
    ['Remote in USA', null, 'US'],
    ['Remote in Canada', null, 'CA'],
    ['Remote in Austin, TX', 'Austin', 'US-TX'],
    ['Marseille, FR', 'Marseille', 'FR'],
    ['Remote', null, null],
    ['Multiple Locations', null, null],
    ['', null, null],
  ])('reads %j as city %j, area %j', (text, city, area) => {
    const country = countryByCode(area ?? '');
    const expected =
      area === null ? null : country ? { country: { id: country.id } } : { id: provinceId(area) };
    expect(placeOfText(text)).toEqual({ city, province: expected });
  });

  it.each([
    'London',
    'San Francisco and Toronto and Vienna',
    'SF Bay Area, Seattle Metro, and New York City Metro Area',
    'Cambridge, MA Seattle, WA NYC Atlanta, GA Burlington, MA',
  ])('uses %j as the city, unchanged', (text) => {
    expect(placeOfText(text)).toEqual({ city: text, province: null, unmatched: text });
  });
});
