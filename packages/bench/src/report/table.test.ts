import { describe, expect, it } from '@jest/globals';
import { markdownTable, shown } from './table.ts';

describe('markdownTable', () => {
  it('aligns words left and numbers right', () => {
    const rows = [
      ['plain | bus', '1,200'],
      ['product', '90'],
    ];
    expect(markdownTable(['Variant', 'µs'], rows).split('\n')).toEqual([
      '| Variant      |    µs |',
      '| ------------ | ----- |',
      '| plain \\| bus | 1,200 |',
      '| product      |    90 |',
    ]);
  });
});

describe('shown', () => {
  it.each([
    [0.1234, '0.12'],
    [12.345, '12.3'],
    [123.45, '123'],
    [1234.5, '1,235'],
    [1_234_567, '1,234,567'],
    [Number.NaN, '-'],
    [-0.5, '-0.50'],
  ])('%d as %s', (value, text) => {
    expect(shown(value)).toBe(text);
  });
});
