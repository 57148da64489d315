import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { mediaTypeOf, readIdempotencyKey } from './headers.ts';

describe('mediaTypeOf', () => {
  it.each([
    ['application/json', 'application/json'],
    ['application/json; charset=UTF-8', 'application/json'],
    ['application/json;charset="utf-8"', 'application/json'],
    ['Application/JSON ; Charset=utf-8', 'application/json'],
    ['application/json; version=1', 'application/json'],
    ['application/json;', 'application/json'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['application/jsonx', 'application/jsonx'],
    ['application/json-patch+json', 'application/json-patch+json'],
    ['application/json; charset=latin1', undefined],
    ['application/json; charset=utf-16', undefined],
    ['application/json; charset=utf8', undefined],
    ['application/json charset=utf-8', undefined],
    ['application/json, text/plain', undefined],
    ['multipart/form-data; boundary="a b"', 'multipart/form-data'],
    [`multipart/form-data; boundary=${'x'.repeat(512)}`, undefined],
    ['json', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is %s', (header, expected) => {
    expect(mediaTypeOf(header)).toBe(expected);
  });
});

const visible = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCodePoint(0x21 + index)).join(
  '',
);

describe('readIdempotencyKey', () => {
  it.each([['a'], [crypto.randomUUID()], ['"8e03978e-40d5"'], [visible], ['a,b'], ['x'.repeat(255)]])(
    'takes %s as it is',
    (key) => expect(readIdempotencyKey(key)).toBe(key),
  );

  it('is undefined without the header', () => expect(readIdempotencyKey(undefined)).toBeUndefined());

  it.each([
    ['nothing', '', 'too_short'],
    ['one character more', 'x'.repeat(256), 'too_long'],
    ['a space', 'a b', 'invalid_characters'],
    ['two of them', 'a, a', 'invalid_characters'],
    ['two empty ones', ', ', 'invalid_characters'],
    ['two of them, as a list', ['a', 'a b'], 'invalid_characters'],
    ['a tab', 'a\tb', 'invalid_characters'],
    ['a letter beyond ASCII', '\u00e9', 'invalid_characters'],
    ['a control character', 'a\u007f', 'invalid_characters'],
    ['a line break at the end', 'a\n', 'invalid_characters'],
  ])('refuses %s', (_what, key, code) => {
    let refusal: unknown;
    try {
      readIdempotencyKey(key);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(ServiceError);
    expect(refusal).toMatchObject({ code: 'invalid_header', errors: [{ header: 'Idempotency-Key', code }] });
  });
});
