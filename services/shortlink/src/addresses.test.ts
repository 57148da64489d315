import { describe, expect, it } from '@jest/globals';
import { addressesFrom, addressProblems, CODE_LENGTH, newCode } from './addresses.ts';

const good = { PUBLIC_URL: 'http://localhost:8080', SEARCH_URL: 'https://search.example.com' };
/** A web address of this many characters. */
const webAddress = (length: number) => `https://${'a'.repeat(60)}.${'b'.repeat(length - 69)}`;

describe('addressesFrom', () => {
  it.each([
    ['http://localhost:8080', 'http://localhost:8080/s/abc'],
    ['https://jobs.example.com/', 'https://jobs.example.com/s/abc'],
    ['https://example.com/jobs//', 'https://example.com/jobs/s/abc'],
  ])('puts a code under %s', (PUBLIC_URL, expected) => {
    expect(addressesFrom({ ...good, PUBLIC_URL }).short('abc')).toBe(expected);
  });

  it('leads to the shared job', () => {
    expect(addressesFrom(good).share(42)).toBe('https://search.example.com/Share/Job42');
  });

  it('takes the longest bases that leave room', () => {
    const bases = { PUBLIC_URL: webAddress(118), SEARCH_URL: webAddress(107) };
    const { short, share } = addressesFrom(bases);
    expect(short('1234567')).toHaveLength(128);
    expect(share(-2_147_483_648)).toHaveLength(128);
    expect(addressProblems(bases)).toEqual([]);
  });
});

describe('addressProblems', () => {
  it.each([
    ['localhost:8080', 'must be an http or https address'],
    ['ftp://example.com', 'must be an http or https address'],
    ['https://example.com?a=1', 'must be an http or https address'],
    ['https://example.com/#top', 'must be an http or https address'],
    ['https://user@example.com', 'must be an http or https address'],
    [webAddress(120), 'is 2 characters too long'],
  ])('refuses %s as PUBLIC_URL', (PUBLIC_URL, problem) => {
    expect(addressProblems({ ...good, PUBLIC_URL })).toEqual([
      expect.stringContaining(`PUBLIC_URL ${problem}`),
    ]);
  });

  it('lists every problem at once', () => {
    expect(addressProblems({ PUBLIC_URL: 'nowhere', SEARCH_URL: webAddress(110) })).toEqual([
      expect.stringContaining('PUBLIC_URL must be'),
      expect.stringContaining('SEARCH_URL is 3 characters too long'),
    ]);
  });
});

describe('newCode', () => {
  it('draws each character from base62, both ends of it included', () => {
    expect(newCode(() => 0)).toBe('0'.repeat(CODE_LENGTH));
    expect(newCode((max) => max - 1)).toBe('z'.repeat(CODE_LENGTH));
  });

  it('makes codes that do not repeat', () => {
    const codes = Array.from({ length: 10_000 }, () => newCode());
    expect(codes.every((code) => /^[0-9A-Za-z]{7}$/.test(code))).toBe(true);
    expect(new Set(codes).size).toBe(codes.length);
  });
});
