import { describe, expect, it } from '@jest/globals';
import { provinceId } from '@joblisting/geo';
import type { Place } from './mapping.ts';
import { placeOf } from './place.ts';

const gb = { country: { id: 826 } };
const california = { id: provinceId('US-CA') ?? 0 };

function at(address: unknown): unknown {
  return { '@type': 'Place', address };
}

describe('placeOf', () => {
  it.each<[location: unknown, place: Place]>([
    [at({ addressLocality: 'ARLESEY', addressCountry: 'GB' }), { city: 'ARLESEY', province: gb }],
    [
      at({ addressLocality: 'General Hospital, Southampton', addressCountry: 'GB' }),
      { city: 'General Hospital, Southampton', province: gb },
    ],
    [
      at({ addressLocality: 'St Leonard&#39;s', addressCountry: 'UK' }),
      { city: "St Leonard's", province: gb },
    ],
    [
      at({ addressLocality: 'San Jose', addressRegion: 'CA', addressCountry: { name: 'United States' } }),
      { city: 'San Jose', province: california },
    ],
    [
      at({ addressLocality: 'San Jose', addressRegion: 'California' }),
      { city: 'San Jose', province: california },
    ],
    [at({ addressLocality: 'San Jose, CA' }), { city: 'San Jose', province: california }],
    [
      at([{ addressLocality: 'San Jose', addressRegion: 'US-CA', addressCountry: 'USA' }]),
      {
        city: 'San Jose',
        province: california,
      },
    ],
    [at('London, UK'), { city: 'London', province: gb }],
    ['London, UK', { city: 'London', province: gb }],
    [
      { '@type': 'Country', name: 'UK' },
      { city: null, province: gb },
    ],
    [at({ addressCountry: 'GB', addressLocality: '' }), { city: null, province: gb }],
    [
      at({ addressLocality: 'X', addressRegion: 'CA', addressCountry: 'GB' }),
      { city: 'X', province: gb, unmatched: 'CA' },
    ],
    [
      at({ addressLocality: 'X', addressRegion: 'CA', addressCountry: 'Narnia' }),
      { city: 'X', province: null, unmatched: 'CA, Narnia' },
    ],
    [at({ addressLocality: 7, addressCountry: 'GB' }), { city: 7, province: gb }],
    [at({}), { city: null, province: null }],
    [7, { city: null, province: null }],
  ])('%j', (location, place) => {
    expect(placeOf(location)).toEqual(place);
  });
});
