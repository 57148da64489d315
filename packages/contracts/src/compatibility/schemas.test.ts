import { describe, expect, it } from '@jest/globals';
import type { Effect } from './change.ts';
import { judge, type Use } from './findings.ts';
import type { Json } from './json.ts';
import { compareSchemas } from './schemas.ts';

const opposites: Partial<Record<Effect, readonly Effect[]>> = {
  narrowed: ['widened', 'grown', 'removed'],
  widened: ['narrowed'],
  grown: ['narrowed'],
  added: ['removed'],
};

const effectsOf = (before: Json, after: Json) =>
  compareSchemas(before, after, '#').map(({ pointer, effect }) => [pointer, effect]);

const object = (properties: Json, required: Json = []): Json => ({ type: 'object', properties, required });
const text = { type: 'string' };
const number = { type: 'number' };

describe('compareSchemas', () => {
  it.each<[string, Json, Json, string, Effect]>([
    ['a type is removed', { type: ['string', 'null'] }, text, '#/type', 'narrowed'],
    ['one type instead of any', {}, text, '#/type', 'narrowed'],
    ['a number must be whole', number, { type: 'integer' }, '#/type', 'narrowed'],
    ['only some values', text, { type: 'string', enum: ['a'] }, '#/enum', 'narrowed'],
    ['only one value', text, { type: 'string', const: 'a' }, '#/enum', 'narrowed'],
    ['a value is removed', { enum: ['a', 'b'] }, { enum: ['a'] }, '#/enum', 'narrowed'],
    ['minimum rises', { minimum: 1 }, { minimum: 2 }, '#/minimum', 'narrowed'],
    ['minimum is added', {}, { minimum: 2 }, '#/minimum', 'narrowed'],
    ['exclusiveMinimum is added', {}, { exclusiveMinimum: 0 }, '#/exclusiveMinimum', 'narrowed'],
    ['maximum falls', { maximum: 9 }, { maximum: 8 }, '#/maximum', 'narrowed'],
    ['exclusiveMaximum is added', {}, { exclusiveMaximum: 8 }, '#/exclusiveMaximum', 'narrowed'],
    ['minLength is added', {}, { minLength: 1 }, '#/minLength', 'narrowed'],
    ['maxLength falls', { maxLength: 256 }, { maxLength: 50 }, '#/maxLength', 'narrowed'],
    ['minItems rises', { minItems: 1 }, { minItems: 2 }, '#/minItems', 'narrowed'],
    ['maxItems is added', {}, { maxItems: 5 }, '#/maxItems', 'narrowed'],
    ['minProperties is added', {}, { minProperties: 1 }, '#/minProperties', 'narrowed'],
    ['maxProperties falls', { maxProperties: 9 }, { maxProperties: 5 }, '#/maxProperties', 'narrowed'],
    ['entries must differ', {}, { uniqueItems: true }, '#/uniqueItems', 'narrowed'],
    ['a pattern is added', text, { type: 'string', pattern: '^a' }, '#/pattern', 'narrowed'],
    ['a format is added', text, { type: 'string', format: 'uri' }, '#/format', 'narrowed'],
    ['multipleOf is added', number, { type: 'number', multipleOf: 5 }, '#/multipleOf', 'narrowed'],
    ['not is added', {}, { not: { const: 1 } }, '#/not', 'narrowed'],
    ['contains is added', {}, { contains: text }, '#/contains', 'narrowed'],
    ['an unknown keyword is added', {}, { maxBytes: 5 }, '#/maxBytes', 'narrowed'],
    ['a property is required now', object({ a: text }), object({ a: text }, ['a']), '#/required', 'narrowed'],
    ['a new required property', object({}), object({ a: text }, ['a']), '#/required', 'narrowed'],
    [
      'no other properties are allowed',
      {},
      { additionalProperties: false },
      '#/additionalProperties',
      'narrowed',
    ],
    [
      'other properties have a type',
      {},
      { additionalProperties: text },
      '#/additionalProperties/type',
      'narrowed',
    ],
    [
      'property names are limited',
      {},
      { propertyNames: { maxLength: 5 } },
      '#/propertyNames/maxLength',
      'narrowed',
    ],
    [
      'names that match a pattern are limited',
      {},
      { patternProperties: { '^a/': text } },
      '#/patternProperties/^a~1/type',
      'narrowed',
    ],
    ['entries of a type', {}, { items: text }, '#/items/type', 'narrowed'],
    ['an entry by position', {}, { prefixItems: [text] }, '#/items/0/type', 'narrowed'],
    [
      'no further entries',
      { prefixItems: [text] },
      { prefixItems: [text], items: false },
      '#/items',
      'narrowed',
    ],
    ['a choice is removed', { anyOf: [text, number] }, { anyOf: [text] }, '#/anyOf', 'narrowed'],
    ['a choice of one kind is removed', { oneOf: [text, number] }, { oneOf: [text] }, '#/oneOf', 'narrowed'],
    [
      'a condition is added',
      { allOf: [text] },
      { allOf: [text, { minLength: 1 }] },
      '#/allOf/1/minLength',
      'narrowed',
    ],
    ['a condition is added', {}, { if: text, else: { minLength: 1 } }, '#/if', 'narrowed'],
    [
      'the schema after a condition is narrowed',
      { if: text, else: { minimum: 1 } },
      { if: text, else: { minimum: 2 } },
      '#/else/minimum',
      'narrowed',
    ],
    [
      'a property is narrowed',
      object({ a: text }),
      object({ a: { ...text, maxLength: 5 } }),
      '#/properties/a/maxLength',
      'narrowed',
    ],
    ['nothing is allowed', text, false, '#', 'narrowed'],
    ['an enumeration grows', { enum: ['a'] }, { enum: ['a', 'b'] }, '#/enum', 'grown'],
    ['an enumeration is opened', { enum: ['a'] }, {}, '#/enum', 'grown'],
    ['null is allowed', text, { type: ['string', 'null'] }, '#/type', 'widened'],
    ['a choice is added to a plain schema', text, { anyOf: [text, { type: 'null' }] }, '#/anyOf', 'widened'],
    ['an optional property is added', object({}), object({ a: text }), '#/properties/a', 'added'],
  ])('%s', (_name, before, after, pointer, effect) => {
    expect(effectsOf(before, after)).toEqual([[pointer, effect]]);
    const [back] = compareSchemas(after, before, '#');
    expect(opposites[effect]).toContain(back?.effect);
  });

  it.each<[string, Json, Json, string, Effect]>([
    ['another pattern', { pattern: '^a' }, { pattern: '^b' }, '#/pattern', 'replaced'],
    ['another format', { format: 'date' }, { format: 'uri' }, '#/format', 'replaced'],
    ['another multipleOf', { multipleOf: 2 }, { multipleOf: 3 }, '#/multipleOf', 'replaced'],
    ['another condition', { if: text, else: {} }, { if: number, else: {} }, '#/if', 'replaced'],
    ['another default', { default: 50 }, { default: 20 }, '#/default', 'reinterpreted'],
    ['no default', { default: 50 }, {}, '#/default', 'reinterpreted'],
    ['read-only instead of writable', text, { ...text, readOnly: true }, '#/readOnly', 'reinterpreted'],
    ['writable instead of read-only', { readOnly: true }, {}, '#/readOnly', 'reinterpreted'],
    ['a property is removed', object({ a: text }, ['a']), object({}), '#/properties/a', 'removed'],
    [
      'an open enumeration grows',
      { enum: ['a'] },
      { enum: ['a', 'b'], 'x-open-enum': true },
      '#/enum',
      'added',
    ],
  ])('%s', (_name, before, after, pointer, effect) => {
    expect(effectsOf(before, after)).toEqual([[pointer, effect]]);
  });

  it('reports both changes when one type replaces another', () => {
    expect(effectsOf(text, number)).toEqual([
      ['#/type', 'narrowed'],
      ['#/type', 'widened'],
    ]);
  });

  it('points into the one choice that changed', () => {
    const before = { anyOf: [text, object({ a: text })] };
    const after = { anyOf: [text, object({ a: { ...text, maxLength: 5 } })] };
    expect(effectsOf(before, after)).toEqual([['#/anyOf/1/properties/a/maxLength', 'narrowed']]);
  });

  it('compares keywords beside the choices', () => {
    const after = { maxLength: 5, anyOf: [text, { type: 'null' }] };
    expect(effectsOf(text, after)).toEqual(expect.arrayContaining([['#/anyOf', 'narrowed']]));
    expect(effectsOf({ anyOf: [text, { type: 'null' }] }, after)).toEqual([['#/maxLength', 'narrowed']]);
  });

  it('reports that oneOf replaces anyOf', () => {
    expect(effectsOf({ anyOf: [text, {}] }, { oneOf: [text, {}] })).toEqual([['#/oneOf', 'narrowed']]);
  });

  it('reads tuples of both drafts', () => {
    const old = { type: 'array', items: [text, number], additionalItems: false, minItems: 2 };
    expect(effectsOf(old, { type: 'array', prefixItems: [text, number], items: false, minItems: 2 })).toEqual(
      [],
    );
    expect(effectsOf(old, { ...old, items: [text, number, text], minItems: 3 })).toEqual([
      ['#/minItems', 'narrowed'],
      ['#/items/2', 'widened'],
    ]);
  });

  it.each<[string, Json, Json]>([
    ['annotations', { title: 'a', description: 'b' }, { examples: [1], deprecated: true, 'x-a': 1 }],
    ['a new default', { type: 'integer' }, { type: 'integer', default: 50 }],
    [
      'the order of names',
      object({ a: text, b: text }, ['a', 'b']),
      object({ b: text, a: text }, ['b', 'a']),
    ],
    ['the order of values', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }],
    ['the order of choices', { anyOf: [text, number] }, { anyOf: [number, text] }],
    [
      'keywords with their default values',
      {},
      { minLength: 0, uniqueItems: false, additionalProperties: true },
    ],
    ['true instead of an empty schema', true, {}],
    ['a constant instead of an enumeration of one value', { const: 'a' }, { enum: ['a'] }],
  ])('ignores %s', (_name, before, after) => {
    expect(effectsOf(before, after)).toEqual([]);
    expect(effectsOf(after, before).filter(([place]) => place !== '#/default')).toEqual([]);
  });

  it('compares properties that have the names of keywords', () => {
    const before = object({ title: text, description: text, default: text });
    const after = object({ title: number, description: text, default: text });
    expect(effectsOf(before, after).map(([pointer]) => pointer)).toEqual([
      '#/properties/title/type',
      '#/properties/title/type',
    ]);
  });
});

describe('judge', () => {
  const uses: readonly Use[] = ['request', 'reply', 'refusal', 'event'];

  it.each<[Effect, readonly Use[]]>([
    ['narrowed', ['request', 'event']],
    ['widened', ['reply', 'refusal', 'event']],
    ['grown', ['reply', 'event']],
    ['replaced', uses],
    ['removed', uses],
    ['added', []],
    ['reinterpreted', ['request', 'event']],
  ])('%s breaks %j', (effect, broken) => {
    const change = { pointer: '#/a', effect, what: 'a changed' };
    expect(uses.filter((use) => judge(change, use).breaking)).toEqual(broken);
    for (const use of uses) expect(judge(change, use).why).not.toBe('');
  });
});
