import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { entityTag, readIfMatch } from './etag.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('entityTag', () => {
  it('has the version and a digest of the data', () => {
    expect(entityTag(3, bytes('{}'))).toMatch(/^"3-[\w-]{16}"$/);
    expect(entityTag(3, bytes('{}'))).toBe(entityTag(3, bytes('{}')));
    expect(entityTag(3, bytes('[]'))).not.toBe(entityTag(3, bytes('{}')));
    expect(entityTag(4, bytes('{}'))).not.toBe(entityTag(3, bytes('{}')));
  });
});

describe('readIfMatch', () => {
  it.each([
    [undefined, undefined],
    ['*', { any: true, versions: [] }],
    ['"3-abc"', { any: false, versions: [3] }],
    ['"3-abc", "12-x"', { any: false, versions: [3, 12] }],
    [',"3-abc",', { any: false, versions: [3] }],
    ['W/"3-abc"', { any: false, versions: [] }],
    ['"theirs"', { any: false, versions: [] }],
    ['"03-abc"', { any: false, versions: [] }],
    ['"a,b", "4-x"', { any: false, versions: [4] }],
  ])('%j', (header, expected) => {
    expect(readIfMatch(header)).toEqual(expected);
  });

  it.each(['', '3-abc', '"3-abc', '"3-abc" "4-abc"', '*, "3-abc"', "'3-abc'"])('refuses %j', (header) => {
    expect(() => readIfMatch(header)).toThrow(ServiceError);
  });

  it('takes linear time', () => {
    const header = `${'"1-a",'.repeat(2000)}x`;
    expect(() => readIfMatch(header)).toThrow('entity tags');
  });
});
