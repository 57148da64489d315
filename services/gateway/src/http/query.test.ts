import { describe, expect, it } from '@jest/globals';
import { formatQuery, parseQuery } from './query.ts';

describe('parseQuery', () => {
  it.each([
    ['', []],
    ['&&', []],
    ['a=1', [['a', '1']]],
    ['a', [['a', '']]],
    ['=1', [['', '1']]],
    [
      'a=1&a=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['a=b=c', [['a', 'b=c']]],
    ['company%2Eid=1', [['company.id', '1']]],
    ['q=a+b%2B', [['q', 'a b+']]],
    ['q=%zz', [['q', undefined]]],
    ['q=%ff', [['q', undefined]]],
    ['%zz=1', [['%zz', undefined]]],
    ['__proto__=1', [['__proto__', '1']]],
  ])('%j', (query, expected) => {
    expect(parseQuery(query).map(({ name, value }) => [name, value])).toEqual(expected);
  });
});

describe('formatQuery', () => {
  it.each([
    ['company.id=1&page=2', 'company.id=1&page=2'],
    ['q=a+b&r=%26%3D', 'q=a%20b&r=%26%3D'],
    ['q=%zz&page=1', 'page=1'],
  ])('%s becomes %s', (query, expected) => {
    expect(formatQuery(parseQuery(query))).toBe(expected);
  });
});
