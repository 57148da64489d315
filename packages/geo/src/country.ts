import { iso31661 } from 'iso-3166';

/** A country. `id` is its ISO 3166-1 numeric code. */
export interface Country {
  readonly id: number;
  readonly name: string;
}

interface CountryIndex {
  readonly all: readonly Country[];
  readonly byId: ReadonlyMap<number, Country>;
  readonly byCode: ReadonlyMap<string, Country>;
  readonly alpha2ById: ReadonlyMap<number, string>;
}

let index: CountryIndex | undefined;

function buildIndex(): CountryIndex {
  const byId = new Map<number, Country>();
  const byCode = new Map<string, Country>();
  const alpha2ById = new Map<number, string>();
  for (const entry of iso31661) {
    const country = Object.freeze({ id: Number(entry.numeric), name: entry.name });
    byId.set(country.id, country);
    byCode.set(entry.alpha2, country).set(entry.alpha3, country);
    alpha2ById.set(country.id, entry.alpha2);
  }
  const all = Object.freeze([...byId.values()].toSorted((a, b) => a.id - b.id));
  return { all, byId, byCode, alpha2ById };
}

function countryIndex(): CountryIndex {
  index ??= buildIndex();
  return index;
}

/** All countries of ISO 3166-1 by id, in one frozen list. */
export function countries(): readonly Country[] {
  return countryIndex().all;
}

/** Finds a country by ISO 3166-1 numeric code. */
export function countryById(id: number): Country | undefined {
  return countryIndex().byId.get(id);
}

/** Finds a country by ISO 3166-1 alpha-2 or alpha-3 code, in any case. */
export function countryByCode(code: string): Country | undefined {
  return countryIndex().byCode.get(code.toUpperCase());
}

/** The ISO 3166-1 alpha-2 code of a country. */
export function countryCode(id: number): string | undefined {
  return countryIndex().alpha2ById.get(id);
}
