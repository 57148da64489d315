import { iso31662 } from 'iso-3166';
import { countryByCode } from './country.ts';
import type { Country } from './country.ts';

/** A subdivision of a country (ISO 3166-2). `id` comes from {@link provinceId}. */
export interface Province {
  readonly id: number;
  readonly name: string;
  readonly country: Country;
}

interface ProvinceIndex {
  readonly byId: ReadonlyMap<number, Province>;
  readonly byCountry: ReadonlyMap<number, readonly Province[]>;
  readonly codeById: ReadonlyMap<number, string>;
}

const CODE = /^([A-Z]{2})-([0-9A-Z]{1,3})$/;
const IDS_PER_COUNTRY = 36 ** 3;
const NO_PROVINCES: readonly Province[] = Object.freeze([]);

let index: ProvinceIndex | undefined;

function parseCode(code: string): { id: number; country: Country } | undefined {
  const [, alpha2, part] = CODE.exec(code.toUpperCase()) ?? [];
  const country = alpha2 === undefined ? undefined : countryByCode(alpha2);
  if (country === undefined || part === undefined) return undefined;
  return { id: country.id * IDS_PER_COUNTRY + Number.parseInt(part, 36), country };
}

function buildIndex(): ProvinceIndex {
  const provinces: Province[] = [];
  const codeById = new Map<number, string>();
  for (const { code, name } of iso31662) {
    const parsed = parseCode(code);
    if (parsed === undefined) continue;
    provinces.push(Object.freeze({ id: parsed.id, name, country: parsed.country }));
    codeById.set(parsed.id, code);
  }
  provinces.sort((a, b) => a.id - b.id);
  const grouped = Map.groupBy(provinces, (province) => province.country.id);
  for (const group of grouped.values()) Object.freeze(group);
  const byId = new Map(provinces.map((province) => [province.id, province]));
  return { byId, byCountry: grouped, codeById };
}

function provinceIndex(): ProvinceIndex {
  index ??= buildIndex();
  return index;
}

/**
 * The stable id of an ISO 3166-2 code such as `US-CA`: numeric country code × 46656 + base-36 value of the part after
 * the hyphen (API decisions, "Reference data"). Undefined for a malformed code or an unknown country. Does not check
 * that the subdivision exists.
 */
export function provinceId(code: string): number | undefined {
  return parseCode(code)?.id;
}

/** The subdivisions of a country by id; an empty list for an unknown country. */
export function provinces(countryId: number): readonly Province[] {
  return provinceIndex().byCountry.get(countryId) ?? NO_PROVINCES;
}

/** Finds a subdivision by id. */
export function provinceById(id: number): Province | undefined {
  return provinceIndex().byId.get(id);
}

/** Finds a subdivision by ISO 3166-2 code, in any case. */
export function provinceByCode(code: string): Province | undefined {
  const id = provinceId(code);
  return id === undefined ? undefined : provinceById(id);
}

/** The ISO 3166-2 code of a subdivision, such as `US-CA`. */
export function provinceCode(id: number): string | undefined {
  return provinceIndex().codeById.get(id);
}
