import { describe, expect, it } from '@jest/globals';
import { formatSchemas } from '@joblisting/contracts';
import { formats } from '@joblisting/service-kit';
import { readIfMatch } from '../http/etag.ts';
import { IF_MATCH } from './schemas.ts';

const patternOf = (name: string) => new RegExp(formatSchemas[name]?.['pattern'] as string, 'u');
const isRead = (header: string) => {
  try {
    return readIfMatch(header) !== undefined;
  } catch {
    return false;
  }
};

const deceptive = Array.from('"<>\\^`{|} ').map((character) => `https://a.example/${character}`);

describe('formats of the description', () => {
  it('are there for every format of the contracts', () => {
    expect(Object.keys(formatSchemas).toSorted()).toEqual(Object.keys(formats).toSorted());
  });

  it.each<[keyof typeof formats, readonly string[]]>([
    ['text', ['', 'a', ' ', 'a\0', '\0', 'a\n', '\u001b[2J', '\u007f', '\u009b', '\u2028']],
    ['multiline-text', ['', 'a\r\n\tb', 'a\0', '\v', '\f', '\u001b', '\u007f', '\u0085', '\u00a0']],
    ['visible-text', ['a', ' a ', '\ta', ' ', '', '\u00a0\ufeff', 'a\0', '\0a', ' \0', '\u{1F600}']],
    ['category-name', ['a', ' a ', '\ta\n', '\n', '\0', 'a\u001b', '\u{1F600}']],
    ['calendar-date', ['1970-01-01', '9999-12-31', '1969-12-31', '12026-01-01', '2026-1-1', '2026-01-01T']],
    ['date-time', ['1970-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '0487-07-29T04:25:23.67+18:29']],
    ['web-url', ['http://a', 'HTTPS://a', 'ftp://a', '//a', 'javascript:a', ' http://a', ...deceptive]],
  ])('take and refuse the same %s as the service', (name, values) => {
    for (const value of values) {
      expect([value, patternOf(name).test(value)]).toEqual([value, formats[name](value)]);
    }
  });
});

describe('IF_MATCH', () => {
  it.each(['*', '"1-a"', 'W/"1-a"', '"1-a", "2-b"', '"1-a","2-b"', '""'])('takes %s', (header) => {
    expect([new RegExp(IF_MATCH, 'u').test(header), isRead(header)]).toEqual([true, true]);
  });

  it.each(['', '1-a', '"a', 'W/*', '"a" "b"', '* , "a"', '"a"b"'])('refuses %j', (header) => {
    expect([new RegExp(IF_MATCH, 'u').test(header), isRead(header)]).toEqual([false, false]);
  });
});
