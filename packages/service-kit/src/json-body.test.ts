import { describe, expect, it } from '@jest/globals';
import type { ServiceError } from '@joblisting/contracts';
import { MAX_DEPTH, MAX_PARTS, parseJson, parseJsonObject } from './json-body.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);
const refusalOf = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    return error as ServiceError;
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

  it('keeps what makes an object special to JavaScript away from all others', () => {
    parseJsonObject(bytes('{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}}}'));
    expect(({} as Record<string, unknown>)['a'] ?? ({} as Record<string, unknown>)['b']).toBeUndefined();
  });

  it.each([
    ['side by side', '{"a":1,"a":1}', ['#/a']],
    ['far apart', '{"a":1,"b":[{"a":1}],"c":{"a":2},"a":3}', ['#/a']],
    ['thrice, told once', '{"a":1,"a":2,"a":3}', ['#/a']],
    ['inside an object', '{"company":{"id":1,"name":"","id":2}}', ['#/company/id']],
    ['inside a list', '{"a":[1,[2],{"x,":"[","b":0},{"b":1,"b":2}]}', ['#/a/3/b']],
    ['inside a value whose name is repeated itself', '{"a":{"b":1,"b":2},"a":0}', ['#/a/b', '#/a']],
    ['in another spelling', '{"id":1,"\\u0069d":2}', ['#/id']],
    ['with a letter of two halves', '{"\u{1F600}":1,"\\ud83d\\uDE00":2}', ['#/%F0%9F%98%80']],
    ['with an escaped quote', '{"a\\"":1 , "a\\u0022" : 2}', ['#/a%22']],
    ['with white space around', '{ "a"\t:\r\n1,\n"a"  :2}', ['#/a']],
    ['with no letters', '{"":1,"":2}', ['#/']],
    ['as a number', '{"1":1,"1":2}', ['#/1']],
    ['as __proto__', '{"__proto__":{},"__proto__":{}}', ['#/__proto__']],
    ['as __proto__ in another spelling', '{"__proto__":1,"\\u005f_proto__":2}', ['#/__proto__']],
    ['under __proto__', '{"__proto__":{"a":1,"a":2}}', ['#/__proto__/a']],
    ['as a method', '{"toString":1,"hasOwnProperty":1,"toString":2}', ['#/toString']],
    ['with lone surrogates', '{"\\ud800":1,"\\uD800":2}', ['#/%EF%BF%BD']],
    ['after a byte order mark', '\ufeff{"a":1,"a":2}', ['#/a']],
  ])('refuses a repeated name: %s', (_what, text, pointers) => {
    const refusal = refusalOf(() => parseJsonObject(bytes(text)));
    expect(refusal?.code).toBe('malformed_json');
    expect(refusal?.errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it.each([
    ['in two objects', '{"a":{"b":1},"c":{"b":1}}'],
    ['in two cases', '{"a":1,"A":2}'],
    ['composed and decomposed', '{"\u00e9":1,"e\u0301":2}'],
    ['as a value', '{"a":"a","b":"a:","c":["a","a"]}'],
    ['as a path and a name', '{"a/b":1,"a":{"b":1}}'],
    ['with two lone surrogates', '{"\\ud800":1,"\\ud801":2}'],
  ])('takes a name twice %s', (_what, text) => {
    expect(parseJsonObject(bytes(text))).toEqual(JSON.parse(text));
  });

  it('lists fifty repeated names, and cuts long ones', () => {
    const names = Array.from({ length: 60 }, (_, index) => `"${index}${'x'.repeat(300)}":0`);
    const refusal = refusalOf(() => parseJsonObject(bytes(`{${names.join()},${names.join()}}`)));
    expect(refusal?.errors).toHaveLength(50);
    expect(refusal?.errors[7]?.pointer).toBe(`#/7${'x'.repeat(199)}`);
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

  it('takes as many objects, lists and names as are allowed, and refuses one more', () => {
    const body = (parts: number) => bytes(`{"a":[${'{},'.repeat(parts - 4)}{}]}`);
    expect(parseJsonObject(body(MAX_PARTS))).toBeDefined();
    const refusal = refusalOf(() => parseJsonObject(body(MAX_PARTS + 1)));
    expect(refusal).toMatchObject({
      code: 'malformed_json',
      message: 'The body has more than 60000 objects, lists and names.',
    });
    const names = Array.from({ length: MAX_PARTS }, (_, index) => `"${index}":0`);
    expect(refusalOf(() => parseJsonObject(bytes(`{${names.join()}}`)))?.message).toContain('more than');
  });

  it.each([
    ['lists', nested(2_000_000)],
    ['objects', '{"a":'.repeat(500_000)],
    ['one name again and again', `{${'"a":0,'.repeat(700_000)}"a":0}`],
    ['names', `{${Array.from({ length: 400_000 }, (_, index) => `"x${index}":0`).join()}}`],
    ['long names', `{"${'x'.repeat(2_000_000)}":0,"${'x'.repeat(2_000_000)}":0}`],
    ['objects in a list', `{"a":[${'{},'.repeat(1_400_000)}{}]}`],
    ['an unfinished string', `{"a":"${'\\'.repeat(1_000_001)}`],
  ])('survives a large body of %s', (_what, text) => {
    expect(refusalOf(() => parseJsonObject(bytes(text)))?.code).toBe('malformed_json');
  });
});

describe('parseJson', () => {
  it('takes any value, and calls it by the name given', () => {
    expect(parseJson(bytes('5'))).toBe(5);
    expect(() => parseJson(bytes('{'), { name: 'Line 7' })).toThrow(/^Line 7 is not valid JSON/);
  });
});
