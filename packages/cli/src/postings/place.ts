import type { Country, Province } from '@joblisting/geo';
import { decodeText, listOf, property, visibleText } from '../values.ts';
import type { Place } from './mapping.ts';
import { placeOfText } from './place-text.ts';
import { findCountry, findProvince, findStateOrProvince, provinceReference } from './regions.ts';

function nameOf(value: unknown): string | undefined {
  const [first] = listOf(value);
  return visibleText(decodeText(property(first, 'name') ?? first));
}

function placeOfAddress(address: unknown): Place {
  const locality = decodeText(property(address, 'addressLocality')) ?? null;
  const regionName = nameOf(property(address, 'addressRegion'));
  const countryName = nameOf(property(address, 'addressCountry'));
  if (regionName === undefined && countryName === undefined && typeof locality === 'string')
    return placeOfText(locality);
  const country = countryName === undefined ? undefined : findCountry(countryName);
  const region = regionName === undefined ? undefined : findRegion(regionName, country, countryName);
  const unmatched = [
    ...(regionName !== undefined && region === undefined ? [regionName] : []),
    ...(countryName !== undefined && country === undefined ? [countryName] : []),
  ].join(', ');
  return {
    city: locality === '' ? null : locality,
    province: provinceReference(region, country),
    ...(unmatched !== '' && { unmatched }),
  };
}

function findRegion(
  name: string,
  country: Country | undefined,
  countryName: string | undefined,
): Province | undefined {
  if (country !== undefined) return findProvince(country, name);
  return countryName === undefined ? findStateOrProvince(name) : undefined;
}

/** Reads a schema.org Place, a PostalAddress or a text. */
export function placeOf(location: unknown): Place {
  if (typeof location === 'string') return placeOfText(String(decodeText(location)));
  const address = property(location, 'address');
  if (typeof address === 'string') return placeOfText(String(decodeText(address)));
  if (address !== undefined) return placeOfAddress(listOf(address)[0]);
  const name = nameOf(property(location, 'name'));
  return name === undefined ? placeOfAddress(location) : placeOfText(name);
}
