import { countries, countryByCode, countryCode, provinceByCode, provinces } from '@joblisting/geo';
import type { Country, Province } from '@joblisting/geo';
import type { ProvinceReference } from './mapping.ts';

/** Common names that ISO 3166-1 and CLDR lack. */
const COUNTRY_ALIASES: readonly (readonly [alias: string, code: string])[] = [
  ['uk', 'GB'],
  ['u.k.', 'GB'],
  ['great britain', 'GB'],
  ['u.s.', 'US'],
  ['u.s.a.', 'US'],
  ['united states of america', 'US'],
  ['the netherlands', 'NL'],
];

let byName: ReadonlyMap<string, Country> | undefined;

function countriesByName(): ReadonlyMap<string, Country> {
  const names = new Map<string, Country>();
  const english = new Intl.DisplayNames('en', { type: 'region' });
  for (const country of countries()) {
    names.set(country.name.toLowerCase(), country);
    names.set((english.of(countryCode(country.id) ?? '') ?? country.name).toLowerCase(), country);
  }
  for (const [alias, code] of COUNTRY_ALIASES) {
    const country = countryByCode(code);
    if (country !== undefined) names.set(alias, country);
  }
  return names;
}

/** Finds a country by ISO 3166-1 code (alpha-2 or alpha-3), English name or common abbreviation. */
export function findCountry(text: string): Country | undefined {
  const trimmed = text.trim();
  byName ??= countriesByName();
  return countryByCode(trimmed) ?? byName.get(trimmed.toLowerCase());
}

/** Finds a subdivision of a country by code (`CA`, `US-CA`) or name, in any case. */
export function findProvince(country: Country, text: string): Province | undefined {
  const wanted = text.trim().toLowerCase();
  const byCode = provinceByCode(`${countryCode(country.id) ?? ''}-${wanted}`) ?? provinceByCode(wanted);
  if (byCode?.country.id === country.id) return byCode;
  return provinces(country.id).find(({ name }) => name.toLowerCase() === wanted);
}

/** Finds a region that people write without its country: a US state ("San Jose, CA"), else a Canadian province. */
export function findStateOrProvince(text: string): Province | undefined {
  for (const code of ['US', 'CA']) {
    const country = countryByCode(code);
    const province = country === undefined ? undefined : findProvince(country, text);
    if (province !== undefined) return province;
  }
  return undefined;
}

/** Refers to the province, else to the whole country. */
export function provinceReference(
  province: Province | undefined,
  country: Country | undefined,
): ProvinceReference | null {
  if (province !== undefined) return { id: province.id };
  return country === undefined ? null : { country: { id: country.id } };
}
