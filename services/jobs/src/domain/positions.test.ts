import { describe, expect, it } from '@jest/globals';
import { positionsIn } from './positions.ts';

describe('positionsIn', () => {
  it.each([
    ['', 0, 1, 1],
    ['ab', 1, 1, 2],
    ['a\nb', 2, 2, 1],
    ['a\r\nbc', 4, 2, 2],
    ['\r\r\n\n', 4, 4, 1],
    ['\u{1f600}x', 2, 1, 3],
  ])('%j at %d', (text, offset, line, column) => {
    expect(positionsIn(text)(offset)).toEqual({ line, column });
  });

  it('continues from the last call', () => {
    const positionOf = positionsIn('a\nb\nc');
    expect([0, 2, 2, 4].map((offset) => positionOf(offset).line)).toEqual([1, 2, 2, 3]);
  });
});
