import { searchKey } from './text.ts';

interface Named {
  readonly id?: number | null | undefined;
  readonly name?: string | null | undefined;
}
interface Place {
  readonly city: string | null;
  readonly province: (Named & { readonly country: { readonly id: number; readonly name: string } }) | null;
}

/** What people call the two countries whose official names nobody types. */
const commonNames: ReadonlyMap<number, string> = new Map([
  [826, 'United Kingdom'],
  [840, 'United States'],
]);

export const countryName = ({ id, name }: { readonly id: number; readonly name: string }): string =>
  commonNames.get(id) ?? name;

/** Where a job is, the narrowest part first: "Leeds, England, United Kingdom". Empty for a job without a place. */
export function placeOf({ city, province }: Place): string {
  const names = [city, province?.name, province && countryName(province.country)];
  const parts = names.flatMap((name) => (name ?? '').split(',')).map((part) => part.trim());
  return [...new Set(parts)].filter(Boolean).join(', ');
}

/** The parts of a place that somebody typed: all of them have to be among a job's `placeKeys`. */
export const placeParts = (place: string): string[] => [
  ...new Set(place.split(',').map(searchKey).filter(Boolean)),
];

/** The names by which a job's place is found. A city such as "Soho, London" is found by each part. */
export const placeKeys = (place: Place): string[] => [
  ...new Set([...placeParts(placeOf(place)), ...placeParts(place.province?.country.name ?? '')]),
];
