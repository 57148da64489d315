import { describe, expect, it } from '@jest/globals';
import { criteriaOf, readSearch, type Search, searchPath } from './search.ts';

const wordsOf = (q: string) => criteriaOf({ q, page: 1 })?.words;

describe('readSearch', () => {
  it('leaves out what is empty, unknown or white space', () => {
    expect(readSearch({ q: ' a\u0000  b ', where: '', category: ' ', utm_source: 'x' })).toEqual({
      q: 'a b',
      page: 1,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['a repeated parameter', { q: ['a', 'b'] }],
    ['a long parameter', { q: 'a'.repeat(101) }],
    ['a repeated page', { page: ['1', '2'] }],
    ['page 0', { page: '0' }],
    ['page abc', { page: 'abc' }],
    ['page 51', { page: '51' }],
  ])('says what is wrong with %s', (_what, query) => {
    expect(readSearch(query)).toEqual({ problem: expect.any(String) });
  });
});

describe('criteriaOf', () => {
  it.each([
    ['"quoted" -minus \\back', ['quoted', 'minus', 'back']],
    ['C++ C# node.js .NET', ['c++', 'c#', 'node.js', 'net']],
    ['nurse in the ward', ['nurse', 'ward']],
    ['the', ['the']],
    ['Pflege Pflege ÄRZTIN', ['pflege', 'arztin']],
    ['"" -- \\ !', []],
    // Compatibility forms of a quotation mark, a minus and a space.
    ['nurse\u{FF02} \u{FF0D}ward a\u{FF02}\u{A8}\u{FF0D}b', ['nurse', 'ward', 'b']],
  ])('reads words from %s', (q, words) => expect(wordsOf(q)).toEqual(words));

  it('takes ten words at most', () => {
    expect(wordsOf(Array.from({ length: 30 }, (_, index) => `w${index}`).join(' '))).toHaveLength(10);
    expect(wordsOf(Array.from({ length: 30 }, (_, index) => `w${index}`).join('\u{A8}'))).toHaveLength(10);
  });

  it('finds a type in any case, and nothing for one that does not exist', () => {
    expect(criteriaOf({ type: 'full-TIME', page: 1 })).toMatchObject({ typeId: 1 });
    expect(criteriaOf({ type: 'nothing', page: 1 })).toBeUndefined();
  });
});

describe('searchPath', () => {
  it('is read back as the same search', () => {
    const search: Search = { q: 'a&b=c', where: 'Zürich, CH', employer: '"x"', page: 3 };
    const { searchParams } = new URL(searchPath(search), 'http://localhost');
    expect(readSearch(Object.fromEntries(searchParams))).toEqual(search);
  });
});
