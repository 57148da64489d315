import { describe, expect, it } from '@jest/globals';
import { randomBytes } from './random-bytes.ts';

describe('randomBytes', () => {
  it('never gives the same ones twice, across many pools', () => {
    const drawn = Array.from({ length: 5000 }, () => randomBytes(12));
    expect(new Set(drawn.map((bytes) => bytes.toString('hex'))).size).toBe(5000);
    expect(drawn.every(({ length }) => length === 12)).toBe(true);
  });
});
