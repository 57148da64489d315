import { describe, expect, it } from '@jest/globals';
import { pointerFromPath, pointerTo } from './pointer.ts';

describe('pointerTo', () => {
  it.each([
    [[], '#'],
    [['categories', 5], '#/categories/5'],
    [['a/b', 'm~n'], '#/a~1b/m~0n'],
    [['é %"', '\ud800'], '#/%C3%A9%20%25%22/%EF%BF%BD'],
    [[''], '#/'],
  ])('%j is %s', (tokens, pointer) => {
    expect(pointerTo(...tokens)).toBe(pointer);
  });
});

describe('pointerFromPath', () => {
  it('encodes what a fragment does not take, and keeps the escapes', () => {
    expect(pointerFromPath('/a~1b/ö/0')).toBe('#/a~1b/%C3%B6/0');
    expect(pointerFromPath('')).toBe('#');
  });
});
