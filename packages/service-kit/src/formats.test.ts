import { describe, expect, it } from '@jest/globals';
import { formats } from './formats.ts';

type Format = keyof typeof formats;

const accepted: [Format, string[]][] = [
  ['text', ['a', ' ', '\u00a0', '\u200b', '\u{1F600}', 'e\u0301', '\u202e', '\u2028']],
  ['multiline-text', ['a', '\ta\r\nb\n', '\u200b', '\u2028']],
  ['visible-text', ['a', ' a ', '.']],
  ['category-name', ['a', '\ta\r\n', 'x'.repeat(50), 'e\u0301'.repeat(50), ` ${'x'.repeat(50)} `]],
  ['calendar-date', ['1970-01-01', '2024-02-29', '2000-02-29', '9999-12-31']],
  [
    'date-time',
    [
      '2026-11-20T12:00:00Z',
      '2026-11-20T00:00:00.123456789Z',
      '2026-11-20T23:59:59+14:00',
      '2026-11-20T12:00:00-00:30',
    ],
  ],
  ['email-address', ['a@b', "o'hara+jobs@mail.example.com", `${'a'.repeat(64)}@example.com`, 'a..b@c.de']],
  [
    'web-url',
    [
      'http://a',
      'HTTPS://Example.COM:8443/a?b=c#d',
      'https://exämple.de/ä',
      'http://127.0.0.1/',
      'http://[::1]:80/',
      'https://a.example/?next=http://b@c',
      'https://a.example/@handle',
      'https://a.example/%2e%2e/',
    ],
  ],
];

const controls = ['\0', 'a\0b', '\b', '\v', '\f', '\u001b[2J', '\u007f', '\u0080', '\u0085', '\u009b31m'];

const refused: [Format, string[]][] = [
  ['text', [...controls, '\t', 'a\nb', 'a\r', '\ud800', 'a\udc00b']],
  ['multiline-text', [...controls, '\ud800', 'a\udc00b']],
  ['category-name', [' ', 'a\0', 'a\u001b[31m', 'x'.repeat(51), '\u0958'.repeat(26)]],
  ['visible-text', [' ', '\t\n', '\u00a0\u2003\u3000', '\ufeff', 'a\0']],
  [
    'calendar-date',
    [
      '1969-12-31',
      '0000-01-01',
      '2023-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-1-1',
      '2026-11-20T00:00:00Z',
      ' 2026-11-20',
      '2026-11-20\n',
      '20261120',
      '+02026-11-20',
      '٢٠٢٦-١١-٢٠',
    ],
  ],
  [
    'date-time',
    [
      '2026-11-20',
      '2026-11-20T12:00Z',
      '2026-11-20T12:00:00',
      '2026-02-30T12:00:00Z',
      '2026-11-20T24:00:00Z',
      '2026-11-20T12:60:00Z',
      '2026-11-20T12:00:00+24:00',
      '2026-11-20 12:00:00Z',
      '1969-12-31T23:59:59Z',
    ],
  ],
  [
    'email-address',
    [
      '',
      'a',
      '@b',
      'a@',
      'a@b@c',
      'a b@c',
      'a@b..c',
      'a@-b',
      'a@b-',
      'a@b_c',
      '<a@b>',
      'a@b\r\nBcc: c@d',
      'ä@b.de',
      'a@exämple.de',
      `a@${'b'.repeat(64)}`,
    ],
  ],
  [
    'web-url',
    [
      '',
      'example.com',
      '//example.com',
      '/path',
      'http:',
      'http://',
      'http:///path',
      'http:example.com',
      'https:/example.com',
      'ftp://example.com',
      'javascript:alert(1)',
      'JaVaScRiPt://a%0aalert(1)',
      'data:text/html,a',
      'file:///etc/passwd',
      'http://user@example.com',
      'http://user:password@example.com',
      'http://@example.com',
      'http://good.example\\@evil.example',
      'http:\\\\evil.example',
      ' http://example.com',
      'http://example.com/a b',
      'http://exam\tple.com',
      'java\nscript:alert(1)',
      'http://example.com/\u202egpj.exe',
      'http://example.com/\u2066a',
      'http://example.com/\u0000',
      'http://example.com/\u00a0',
      'http://\ufeffexample.com',
      'http://example.com:99999',
      'http://[::1',
      'http://a%40b.example',
      'http://good.example\uff0fevil.example',
      'http://good.example\uff20evil.example',
      'http://1.2.3.4.5',
      'http://0x1ffffffff',
      'http://example.com/\ud800',
      ...Array.from('"<>^`{|}').map((character) => `http://example.com/?${character}`),
      ...['\u00ad', '\u200b', '\u200d', '\u2060', '\u{e0041}'].map(
        (format) => `http://example.com/${format}`,
      ),
    ],
  ],
];

const rows = (table: [Format, string[]][]) =>
  table.flatMap(([format, values]) => values.map((value): [Format, string] => [format, value]));

describe('formats', () => {
  it.each(rows(accepted))('%s takes %j', (format, value) => {
    expect(formats[format](value)).toBe(true);
  });

  it.each(rows(refused))('%s refuses %j', (format, value) => {
    expect(formats[format](value)).toBe(false);
  });

  const SIZE = 1_000_000;
  const hostile = [
    'a'.repeat(SIZE),
    ' '.repeat(SIZE),
    '-'.repeat(SIZE),
    '0'.repeat(SIZE),
    '@'.repeat(SIZE),
    `${'a'.repeat(SIZE)}@`,
    `a@${'a.'.repeat(SIZE / 2)}!`,
    `a@${'a-'.repeat(SIZE / 2)}`,
    `http://${'a.'.repeat(SIZE / 2)}`,
    `http://a/${'%'.repeat(SIZE)}`,
    `http://${'@'.repeat(SIZE)}`,
    `http://a/${'\u202e'.repeat(SIZE)}`,
    `2026-11-20T12:00:00.${'1'.repeat(SIZE)}`,
    '\ud800'.repeat(SIZE),
  ];

  // A regular expression that backtracks would run into the time limit of the test, by years.
  it.each(Object.keys(formats) as Format[])('%s ends on a megabyte of any text', (format) => {
    expect(hostile.map((value) => typeof formats[format](value))).toEqual(hostile.map(() => 'boolean'));
  });
});
