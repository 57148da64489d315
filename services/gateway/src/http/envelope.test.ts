import { describe, expect, it } from '@jest/globals';
import type { Warning } from '@joblisting/contracts';
import { envelope, withLinks } from './envelope.ts';
import { parseQuery } from './query.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const warning: Warning = { code: 'unknown_field', detail: 'Ärger', pointer: '#/x' };

describe('envelope', () => {
  it.each([10, 100_000])('keeps every character of %d bytes and more', (bytesAtLeast) => {
    const data = JSON.stringify('aé☃𝒳'.repeat(bytesAtLeast / 10));
    expect(envelope(bytes(data), []).toString()).toBe(`{"data":${data},"warnings":[]}`);
  });

  it('puts data between its brackets, byte for byte', () => {
    expect(envelope(bytes('{"a": 1}'), []).toString()).toBe('{"data":{"a": 1},"warnings":[]}');
  });

  it('has null for no data', () => {
    expect(envelope(bytes(''), []).toString()).toBe('{"data":null,"warnings":[]}');
  });

  it('adds warnings, at most 50', () => {
    const sixty = Array.from({ length: 60 }, () => warning);
    const text = envelope(bytes('[]'), sixty).toString();
    expect(JSON.parse(text)).toEqual({ data: [], warnings: sixty.slice(0, 50) });
  });

  it('puts paging first', () => {
    const paging = { total: 0, pageSize: 50, page: 1, pages: 0, previous: null, next: null };
    const text = envelope(bytes('[]'), [], paging).toString();
    expect(Object.keys(JSON.parse(text))).toEqual(['paging', 'data', 'warnings']);
  });
});

const address = 'https://jobs.example.com/v1.0/jobs';
const at = (page: number) => `${address}?company.id=1&page=${page}`;

describe('withLinks', () => {
  it.each([
    { total: 0, pages: 0, page: 1, previous: null, next: null },
    { total: 0, pages: 0, page: 9, previous: null, next: null },
    { total: 3, pages: 1, page: 1, previous: null, next: null },
    { total: 120, pages: 3, page: 1, previous: null, next: at(2) },
    { total: 120, pages: 3, page: 2, previous: at(1), next: at(3) },
    { total: 120, pages: 3, page: 3, previous: at(2), next: null },
    { total: 120, pages: 3, page: 4, previous: at(3), next: null },
    { total: 120, pages: 3, page: 2_147_483_647, previous: at(3), next: null },
  ])('page $page of $pages', ({ total, pages, page, previous, next }) => {
    const query = parseQuery(`company.id=1&page=${page}`);
    expect(withLinks({ total, pageSize: 50, page, pages }, address, query)).toEqual({
      total,
      pageSize: 50,
      page,
      pages,
      previous,
      next,
    });
  });

  it.each([
    ['company.id=1', 'company.id=1&page=2'],
    ['page=1&company.id=1', 'page=2&company.id=1'],
    ['company.id=1&status.id=1&pageSize=50', 'company.id=1&status.id=1&pageSize=50&page=2'],
    ['company.id=1&x=%26', 'company.id=1&x=%26&page=2'],
  ])('keeps the parameters of ?%s', (query, expected) => {
    const paging = { total: 120, pageSize: 50, page: 1, pages: 3 };
    expect(withLinks(paging, address, parseQuery(query)).next).toBe(`${address}?${expected}`);
  });
});
