import { describe, expect, it } from '@jest/globals';
import { MAX_DEPTH, parseJson, parseJsonObject } from './json-body.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);
const refusalOf = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    return error as Error & { code: string };
  }
  return undefined;
};

describe('parseJsonObject', () => {
  it.each([
    ['an object', '{"a":1}', { a: 1 }],
    ['white space around it', ' \r\n{ }\t', {}],
    ['brackets and quotes inside strings', '{"a":"[[[\\"{{{"}', { a: '[[["{{{' }],
    ['a byte order mark', '\ufeff{"a":1}', { a: 1 }],
    ['any character', '{"a":"é\u{1F600}\\u0000"}', { a: 'é\u{1F600}\0' }],
    [
      'a key that means something to JavaScript',
      '{"constructor":1,"toString":2}',
      { constructor: 1, toString: 2 },
    ],
  ])('reads %s', (_what, text, value) => {
    expect(parseJsonObject(bytes(text))).toEqual(value);
  });

  it('sets no prototype', () => {
    const value = parseJsonObject(bytes('{"__proto__":{"admin":true}}'));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__']);
  });

  it.each([
    ['nothing', '', 'The body is empty; a JSON object is needed.'],
    ['a list', '[]', 'The body must be one JSON object.'],
    ['null', 'null', 'The body must be one JSON object.'],
    ['a string', '"a"', 'The body must be one JSON object.'],
    ['two objects', '{}{}', 'The body is not valid JSON'],
    ['an unfinished object', '{"a":', 'The body is not valid JSON: Unexpected end of JSON input.'],
    ['an unfinished string', '{"a', 'The body is not valid JSON'],
    ['a trailing comma', '{"a":1,}', 'The body is not valid JSON'],
    ['a comment', '{/* */}', 'The body is not valid JSON'],
    ['a bare word', '{"a":NaN}', 'The body is not valid JSON'],
    ['a control character in a string', '{"a":"\n"}', 'The body is not valid JSON'],
  ])('refuses %s', (_what, text, message) => {
    const refusal = refusalOf(() => parseJsonObject(bytes(text)));
    expect(refusal?.code).toBe('malformed_json');
    expect(refusal?.message).toContain(message);
  });

  it.each([
    '{"name":"secret value",x}',
    `{"a":1,"b":secret ${'x'.repeat(100)}}`,
    '{"a":\n"secret",\n\nsecret}',
    '"secret" secret',
    `{"a":"${'y'.repeat(50)}" secret\n"z"}`,
  ])('repeats nothing of %j', (text) => {
    const refusal = refusalOf(() => parseJsonObject(bytes(text)));
    expect(refusal?.message).toMatch(/^The body is not valid JSON: [^"]+\.$/);
    expect(refusal?.message).not.toContain('secret');
  });

  it.each([
    ['an overlong form', [0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x7d]],
    ['half a character', [0x7b, 0x22, 0xc3, 0x22, 0x7d]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('refuses %s as UTF-8', (_what, body) => {
    expect(refusalOf(() => parseJsonObject(Uint8Array.from(body)))).toMatchObject({
      code: 'malformed_json',
      message: 'The body is not valid UTF-8.',
    });
  });

  it('takes the deepest nesting that is allowed, and refuses one level more', () => {
    const body = (depth: number) => bytes(`{"a":${nested(depth - 1)}}`);
    expect(parseJsonObject(body(MAX_DEPTH))).toBeDefined();
    expect(refusalOf(() => parseJsonObject(body(MAX_DEPTH + 1)))?.message).toBe(
      'The body is nested more than 32 levels deep.',
    );
  });

  it.each([
    ['lists', nested(2_000_000)],
    ['objects', '{"a":'.repeat(500_000)],
    ['an unfinished string', `{"a":"${'\\'.repeat(1_000_001)}`],
  ])('survives a large body of %s', (_what, text) => {
    expect(refusalOf(() => parseJsonObject(bytes(text)))?.code).toBe('malformed_json');
  });
});

describe('parseJson', () => {
  it('takes any value, and calls it by the name given', () => {
    expect(parseJson(bytes('5'))).toBe(5);
    expect(() => parseJson(bytes('{'), 'Line 7')).toThrow(/^Line 7 is not valid JSON/);
  });
});
