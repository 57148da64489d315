import { describe, expect, it } from '@jest/globals';
import { weightOf } from './weight.ts';

describe('weightOf', () => {
  const KIB = 1024;
  it.each([
    ['a read', 0, 0, 1],
    ['a page of 50', 50, 0, 1],
    ['a page of 100', 100, 0, 2],
    ['a page of 1,000', 1000, 0, 11],
    ['a small body', 0, 20 * KIB, 1],
    ['a body of 256 KiB', 0, 256 * KIB, 2],
    ['a body of 4 MiB', 0, 4096 * KIB, 16],
    ['a page that will be refused', 2_000_000_000, 0, 16],
  ])('%s', (_what, pageSize, bodyBytes, weight) => {
    expect(weightOf(pageSize, bodyBytes)).toBe(weight);
  });
});
