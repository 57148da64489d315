import { describe, expect, it } from '@jest/globals';
import { pointerTo, toViolations } from './violations.ts';

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

describe('toViolations', () => {
  it('encodes what a fragment does not take, and keeps the escapes of a path', () => {
    const at = (instancePath: string) => ({ instancePath, keyword: 'minLength', schemaPath: '', params: {} });
    const violations = toViolations([at('/a~1b/ö/0'), at('')], 'body');
    expect(violations.map(({ pointer }) => pointer)).toEqual(['#/a~1b/%C3%B6/0', '#']);
  });
});
