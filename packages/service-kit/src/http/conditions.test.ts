import { describe, expect, it } from '@jest/globals';
import { acceptsGzip, noneMatchHits } from './conditions.ts';

describe('noneMatchHits', () => {
  it.each([
    [undefined, false],
    ['"3-abc"', true],
    ['W/"3-abc"', true],
    ['"1-x", W/"3-abc"', true],
    ['"1-x","3-abc"', true],
    [' * ', true],
    ['"3-ab"', false],
    ['3-abc', false],
    ['"3-abc" garbage', false],
    ['', false],
  ])('%j: %s', (header, expected) => {
    expect(noneMatchHits(header, '"3-abc"')).toBe(expected);
  });
});

describe('acceptsGzip', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['br, GZIP', true],
    ['br, gzip;q=0.5', true],
    ['gzip;q=0, identity', false],
    ['gzip; q=0.000', false],
    ['x-gzip', false],
    ['identity', false],
  ])('%j: %s', (header, expected) => {
    expect(acceptsGzip(header)).toBe(expected);
  });
});
