import { describe, expect, it } from '@jest/globals';
import { countries, countryByCode } from './country.ts';
import { provinceByCode, provinceById, provinceCode, provinceId, provinces } from './province.ts';

const all = countries().flatMap((country) => provinces(country.id));

describe('provinces', () => {
  it('gives each of the 5,070 subdivisions of ISO 3166-2 a unique Int32 id', () => {
    const ids = all.map((province) => province.id);
    expect(all).toHaveLength(5070);
    expect(new Set(ids).size).toBe(5070);
    expect(ids.filter((id) => !Number.isInteger(id) || id < 1 || id > 2 ** 31 - 1)).toEqual([]);
  });

  it('has names of 1 to 255 characters', () => {
    expect(all.filter(({ name }) => name === '' || name.length > 255)).toEqual([]);
  });

  it('returns one frozen list per country, by id', () => {
    const states = provinces(840);
    expect(states.map(({ id }) => id)).toEqual(states.map(({ id }) => id).toSorted((a, b) => a - b));
    expect(states).toBe(provinces(840));
    expect(Object.isFrozen(states)).toBe(true);
    expect(states.every((state) => Object.isFrozen(state) && state.country.id === 840)).toBe(true);
  });

  it('is empty for an unknown country', () => {
    expect(provinces(1)).toEqual([]);
  });

  it.each([
    ['US-CA', 840 * 46656 + 12 * 36 + 10, 'California', 'US'],
    ['us-ca', 39191482, 'California', 'US'],
    ['CA-ON', 124 * 46656 + 24 * 36 + 23, 'Ontario', 'CA'],
    ['GB-ENG', 826 * 46656 + 14 * 1296 + 23 * 36 + 16, 'England', 'GB'],
    ['AD-02', 20 * 46656 + 2, 'Canillo', 'AD'],
  ])('%s has the id %d', (code, id, name, country) => {
    expect(provinceId(code)).toBe(id);
    expect(provinceByCode(code)).toEqual({ id, name, country: countryByCode(country) });
    expect(provinceById(id)).toBe(provinceByCode(code));
    expect(provinceCode(id)).toBe(code.toUpperCase());
  });

  it.each(['', 'US', 'US-', 'US-CALI', 'XX-CA', 'US CA', 'US-C!'])('has no id for %j', (code) => {
    expect(provinceId(code)).toBeUndefined();
    expect(provinceByCode(code)).toBeUndefined();
  });

  it('does not find subdivisions that the standard lacks', () => {
    expect(provinceId('US-ZZZ')).toBe(840 * 46656 + 46655);
    expect(provinceByCode('US-ZZZ')).toBeUndefined();
    expect(provinceById(0)).toBeUndefined();
    expect(provinceCode(0)).toBeUndefined();
  });
});
