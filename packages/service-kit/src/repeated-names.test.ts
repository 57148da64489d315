import { describe, expect, it } from '@jest/globals';
import { repeatedNames } from './json-body.ts';

describe('repeatedNames', () => {
  it.each([
    ['{"a":1,"b":2}', []],
    ['{"a":1,"a":2,"a":3}', [['a']]],
    [
      '{"a":{"b":1,"b":2},"c":[{"d":1},{"d":1,"d":2}]}',
      [
        ['a', 'b'],
        ['c', 1, 'd'],
      ],
    ],
    ['{"a":{"x":1,"x":2},"a":{"x":1,"x":2}}', [['a', 'x'], ['a'], ['a', 'x']]],
    ['{"id":1,"\\u0069d":2}', [['id']]],
  ])('of %s', (json, paths) => {
    expect(repeatedNames(json, 50)).toEqual(paths);
  });

  it('lists the path of a name once, however often it is repeated', () => {
    const long = 'n'.repeat(100_000);
    const json = `{"${long}":{${'"a":0,'.repeat(100_000)}"a":0}}`;
    // Each of them spelled out would be ten thousand million characters.
    expect(repeatedNames(json, 50)).toEqual([[long, 'a']]);
  });
});
