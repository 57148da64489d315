import { describe, expect, it } from '@jest/globals';
import { markdownTable, shown, table } from './table.ts';

describe('table', () => {
  it('puts words to the left and numbers to the right', () => {
    const text = table(
      ['Variant', 'µs', 'of it'],
      [
        ['plain bus', '1,200', 'gateway 7'],
        ['product', '90', ''],
      ],
    );
    expect(text.split('\n')).toEqual([
      'Variant       µs  of it',
      'plain bus  1,200  gateway 7',
      'product       90',
    ]);
  });

  it('is one in Markdown too', () => {
    expect(markdownTable(['a', 'b'], [['x|y', '1']])).toBe('| a | b |\n| --- | --- |\n| x\\|y | 1 |');
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
