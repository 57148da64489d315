import { describe, expect, it } from '@jest/globals';
import { countries, countryByCode, countryById, countryCode } from './country.ts';

describe('countries', () => {
  it('lists the 249 countries of ISO 3166-1 in order of id', () => {
    const ids = countries().map((country) => country.id);
    expect(ids).toHaveLength(249);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  });

  it('has names of 1 to 255 characters', () => {
    expect(countries().filter(({ name }) => name === '' || name.length > 255)).toEqual([]);
  });

  it('is one frozen list', () => {
    expect(countries()).toBe(countries());
    expect(Object.isFrozen(countries())).toBe(true);
    expect(countries().every((country) => Object.isFrozen(country))).toBe(true);
  });

  it.each([
    ['GB', 826],
    ['gb', 826],
    ['USA', 840],
    ['ca', 124],
  ])('finds %s as %d', (code, id) => {
    expect(countryByCode(code)).toBe(countryById(id));
    expect(countryById(id)?.id).toBe(id);
    expect(countryByCode(countryCode(id)!)?.id).toBe(id);
  });

  it.each(['', 'XX', 'G', 'constructor', 'GB-ENG'])('does not find %j', (code) => {
    expect(countryByCode(code)).toBeUndefined();
  });

  it.each([0, -1, 1, 1.5, Number.NaN])('does not find id %d', (id) => {
    expect(countryById(id)).toBeUndefined();
    expect(countryCode(id)).toBeUndefined();
  });
});
