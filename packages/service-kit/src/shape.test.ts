import { describe, expect, it, jest } from '@jest/globals';
import { CategoryName, Int32, Nullable, OneOf, ReadOnly, Text } from '@joblisting/contracts';
import { Type } from 'typebox';
import { compileBody, compileParams } from './shape.ts';

const Entry = Type.Object({ id: Type.Optional(Int32()), name: Type.Optional(Text(5)) });
const Body = Type.Object({
  title: Text(5, { visible: true }),
  city: Type.Optional(Nullable(Text(5))),
  kind: Type.Optional(OneOf([1, 2])),
  side: Type.Optional(Nullable(OneOf(['left', 'right']))),
  count: Type.Optional(Int32({ minimum: 0 })),
  date: Type.Optional(Type.String({ format: 'calendar-date' })),
  mail: Type.Optional(Type.String({ format: 'email-address' })),
  url: Type.Optional(Type.String({ format: 'web-url' })),
  entries: Type.Optional(Type.Array(Entry, { minItems: 1, maxItems: 3 })),
  inner: Type.Optional(Type.Object({ id: Int32(), name: ReadOnly(Text(5)) })),
  viewCount: ReadOnly(Int32()),
});
const { check, unknownFields } = compileBody(Body);
const read = (text: string): unknown => JSON.parse(text);
const found = (value: unknown) => check(value).map(({ pointer, code }) => [pointer, code]);

describe('a body', () => {
  it.each([
    ['{"title":"a"}'],
    ['{"title":"äöüé\u{1F600}"}'],
    ['{"title":"a","city":null,"side":null}'],
    ['{"title":"a","count":2147483647,"kind":2,"side":"left"}'],
    ['{"title":"a","entries":[{},{"id":-2147483648},{"name":"b"}]}'],
    ['{"title":"a","inner":{"id":1,"name":5},"viewCount":"read-only"}'],
    ['{"title":"a","count":1.0}'],
    ['{"title":"a","count":1e3}'],
  ])('%s is right', (text) => {
    expect(check(read(text))).toEqual([]);
  });

  it.each([
    ['null', '#', 'not_null'],
    ['[]', '#', 'type'],
    ['{}', '#/title', 'required'],
    ['{"title":null}', '#/title', 'not_null'],
    ['{"title":1}', '#/title', 'type'],
    ['{"title":""}', '#/title', 'too_short'],
    ['{"title":" "}', '#/title', 'blank'],
    ['{"title":"a\\u0000"}', '#/title', 'invalid_characters'],
    ['{"title":"\\ud800"}', '#/title', 'invalid_characters'],
    ['{"title":"\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}"}', '#/title', 'too_long'],
    ['{"title":"a","city":1}', '#/city', 'type'],
    ['{"title":"a","city":""}', '#/city', 'too_short'],
    ['{"title":"a","kind":3}', '#/kind', 'not_allowed'],
    ['{"title":"a","kind":"1"}', '#/kind', 'type'],
    ['{"title":"a","side":"up"}', '#/side', 'not_allowed'],
    ['{"title":"a","count":"1"}', '#/count', 'type'],
    ['{"title":"a","count":1.5}', '#/count', 'type'],
    ['{"title":"a","count":true}', '#/count', 'type'],
    ['{"title":"a","count":-1}', '#/count', 'out_of_range'],
    ['{"title":"a","count":2147483648}', '#/count', 'out_of_range'],
    ['{"title":"a","count":9007199254740993}', '#/count', 'out_of_range'],
    ['{"title":"a","count":1e400}', '#/count', 'out_of_range'],
    ['{"title":"a","date":"2026-02-30"}', '#/date', 'invalid_date'],
    ['{"title":"a","mail":"a"}', '#/mail', 'invalid_email'],
    ['{"title":"a","url":"a"}', '#/url', 'invalid_url'],
    ['{"title":"a","entries":{}}', '#/entries', 'type'],
    ['{"title":"a","entries":[]}', '#/entries', 'too_few'],
    ['{"title":"a","entries":[{},5]}', '#/entries/1', 'type'],
    ['{"title":"a","entries":[{"id":{"$gt":0}}]}', '#/entries/0/id', 'type'],
    ['{"title":"a","inner":{}}', '#/inner/id', 'required'],
  ])('%s is wrong at %s: %s', (text, pointer, code) => {
    expect(found(read(text))).toEqual([[pointer, code]]);
  });

  it('gets all violations at once, one for each place', () => {
    const body = { title: 5, city: 'a\0 too long', entries: [{ id: 'x' }, { name: 'too long' }] };
    expect(new Set(check(body).map(({ pointer }) => pointer))).toEqual(
      new Set(['#/title', '#/city', '#/entries/0/id', '#/entries/1/name']),
    );
    expect(check(body)).toHaveLength(4);
  });

  it('names the place and the rule in plain words', () => {
    expect(check({ entries: [{ name: 'too long' }] }).map(({ detail }) => detail)).toEqual([
      'title is required.',
      'entries[0].name must be at most 5 characters long.',
    ]);
  });

  it('gets one violation for a list in a list that is too long', () => {
    const lists = compileBody(Type.Object({ entries: Type.Array(Body, { maxItems: 3 }) }));
    const entry = { title: 'a', entries: Array.from({ length: 100_000 }, () => 'wrong') };
    const violations = lists.check({ entries: [{ title: 'b' }, entry] });
    expect(violations.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['#/entries/1/entries/3', 'too_many'],
      ...[0, 1, 2].map((index) => [`#/entries/1/entries/${index}`, 'type']),
    ]);
  });

  it('gets one violation for a list that is too long, however long and wrong it is', () => {
    const entries = Array.from({ length: 1_000_000 }, (_, index) => (index < 2 ? { id: 1 } : index));
    const violations = check({ title: 'a', entries });
    expect(violations.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['#/entries/3', 'too_many'],
      ['#/entries/2', 'type'],
    ]);
    expect(violations[0]?.detail).toBe('entries must have at most 3 entries; it has 1000000.');
  });
});

describe('unknown fields', () => {
  it('are named wherever they are', () => {
    const body = read('{"title":"a","x":1,"entries":[{"id":1},{"y/z":2}],"inner":{"id":1,"__proto__":3}}');
    expect(unknownFields(body).map(({ code, pointer }) => [code, pointer])).toEqual([
      ['unknown_field', '#/x'],
      ['unknown_field', '#/entries/1/y~1z'],
      ['unknown_field', '#/inner/__proto__'],
    ]);
  });

  it('do not include what is read-only, nor what is inside of it', () => {
    expect(unknownFields({ title: 'a', viewCount: { a: 1 }, inner: { id: 1, name: { b: 2 } } })).toEqual([]);
  });

  it('include names that JavaScript objects have by themselves', () => {
    const pointers = unknownFields(read('{"constructor":1,"hasOwnProperty":2}')).map(
      ({ pointer }) => pointer,
    );
    expect(pointers).toEqual(['#/constructor', '#/hasOwnProperty']);
  });

  it('are listed up to fifty, with names of a bounded length', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`x${index}`, 1]));
    expect(unknownFields(many)).toHaveLength(50);
    const [long] = unknownFields({ ['x'.repeat(100_000)]: 1 });
    expect(long?.pointer?.length).toBeLessThan(300);
  });

  it('are none if the value has another shape', () => {
    for (const value of [null, 5, 'a']) expect(unknownFields(value)).toEqual([]);
  });
});

describe('parameters', () => {
  const checkParams = compileParams(
    Type.Object({ 'company.id': Int32(), page: Type.Optional(Int32({ minimum: 1 })) }),
  );

  it.each([
    [{ 'company.id': 1 }, []],
    [{ 'company.id': 1, other: 'x' }, []],
    [{}, [['company.id', 'required']]],
    [{ 'company.id': '1' }, [['company.id', 'type']]],
    [
      { 'company.id': 1.5, page: 0 },
      [
        ['company.id', 'type'],
        ['page', 'out_of_range'],
      ],
    ],
  ])('%j have the violations %j', (params, expected) => {
    expect(checkParams(params).map(({ parameter, code }) => [parameter, code])).toEqual(expected);
  });
});

describe('a string that is too long', () => {
  it('is not judged by its format, which may take more than linear time', () => {
    const normalize = jest.spyOn(String.prototype, 'normalize');
    const name = Type.Object({ name: CategoryName() });
    expect(compileBody(name).check({ name: 'a'.repeat(101) })).toMatchObject([{ code: 'too_long' }]);
    expect(normalize).not.toHaveBeenCalled();
    expect(compileBody(name).check({ name: '\u{1F600}'.repeat(50) })).toEqual([]);
    expect(normalize).toHaveBeenCalled();
    normalize.mockRestore();
  });
});
