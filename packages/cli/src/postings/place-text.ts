import { provinceByCode } from '@joblisting/geo';
import type { Province } from '@joblisting/geo';
import type { Place } from './mapping.ts';
import { findCountry, findProvince, findStateOrProvince, provinceReference } from './regions.ts';

interface Abbreviation {
  readonly city: string;
  readonly code: string;
}

const CITY_ABBREVIATIONS: Readonly<Record<string, Abbreviation>> = {
  NYC: { city: 'New York', code: 'US-NY' },
  SF: { city: 'San Francisco', code: 'US-CA' },
  LA: { city: 'Los Angeles', code: 'US-CA' },
};

const NOWHERE = /^(remote|multiple locations|various( locations)?|anywhere|worldwide)$/i;
const REMOTE_IN = /^remote (?:in|-) (?<area>.+)$/i;
const NATIONS = new Set(['GB-ENG', 'GB-NIR', 'GB-SCT', 'GB-WLS'].map((code) => provinceByCode(code)?.id));
const FEDERATIONS = new Set([findCountry('US')?.id, findCountry('CA')?.id]);

/**
 * Reads a place as people write it: "San Jose, CA", "London, UK", "Kanata, Ottawa, ON, Canada", "NYC", "Remote in USA",
 * "Canada". A US state wins over a country with the same code. Text that it cannot read becomes the city, unchanged.
 */
export function placeOfText(text: string): Place {
  const written = text.trim();
  if (written === '' || NOWHERE.test(written)) return { city: null, province: null };
  const area = REMOTE_IN.exec(written)?.groups?.['area'];
  if (area !== undefined) return placeOfText(area);
  const abbreviation = Object.hasOwn(CITY_ABBREVIATIONS, written) ? CITY_ABBREVIATIONS[written] : undefined;
  if (abbreviation !== undefined)
    return {
      city: abbreviation.city,
      province: provinceReference(provinceByCode(abbreviation.code), undefined),
    };
  return placeOfParts(written, written.split(/\s*,\s*/u)) ?? { city: text, province: null, unmatched: text };
}

function placeOfParts(written: string, parts: readonly string[]): Place | undefined {
  const last = parts.at(-1) ?? '';
  const state = findStateOrProvince(last);
  const country = state?.country ?? findCountry(last);
  if (country === undefined) return undefined;
  const before = parts.slice(0, -1);
  const region = state ?? findProvince(country, before.at(-1) ?? '');
  const isRegion = region !== undefined && (state !== undefined || before.length > 1 || isState(region));
  const cityParts = state === undefined && isRegion ? before.slice(0, -1) : before;
  if (cityParts.length > 2) return { city: written, province: null, unmatched: written };
  return {
    city: cityParts.length === 0 ? null : cityParts.join(', '),
    province: provinceReference(region, country),
  };
}

/** False for subdivisions whose name is also a city's, such as English districts. */
function isState(region: Province): boolean {
  return FEDERATIONS.has(region.country.id) || NATIONS.has(region.id);
}
