import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@joblisting/testing';
import { CODE_LENGTH, newCode } from './codes.ts';

describe('newCode', () => {
  it('draws each character from base62, both ends of it included', () => {
    expect(newCode(() => 0)).toBe('0'.repeat(CODE_LENGTH));
    expect(newCode((max) => max - 1)).toBe('z'.repeat(CODE_LENGTH));
  });

  it('makes short codes that do not repeat', () => {
    const random = seededRandom(1);
    const codes = Array.from({ length: 10_000 }, () => newCode((max) => Math.floor(random() * max)));
    expect(codes.every((code) => /^[0-9A-Za-z]{7}$/.test(code))).toBe(true);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('draws from a source that cannot be foretold unless told otherwise', () => {
    expect(newCode()).not.toBe(newCode());
  });
});
