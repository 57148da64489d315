import { describe, expect, it } from '@jest/globals';
import { type Effect, judge, type Use } from './change.ts';
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
    ['a type is gone', { type: ['string', 'null'] }, text, '#/type', 'narrowed'],
    ['any type to one', {}, text, '#/type', 'narrowed'],
    ['a number must be whole', number, { type: 'integer' }, '#/type', 'narrowed'],
    ['only some values', text, { type: 'string', enum: ['a'] }, '#/enum', 'narrowed'],
    ['only one value', text, { type: 'string', const: 'a' }, '#/enum', 'narrowed'],
    ['a value was taken away', { enum: ['a', 'b'] }, { enum: ['a'] }, '#/enum', 'narrowed'],
    ['minimum rises', { minimum: 1 }, { minimum: 2 }, '#/minimum', 'narrowed'],
    ['minimum comes', {}, { minimum: 2 }, '#/minimum', 'narrowed'],
    ['exclusiveMinimum comes', {}, { exclusiveMinimum: 0 }, '#/exclusiveMinimum', 'narrowed'],
    ['maximum falls', { maximum: 9 }, { maximum: 8 }, '#/maximum', 'narrowed'],
    ['exclusiveMaximum comes', {}, { exclusiveMaximum: 8 }, '#/exclusiveMaximum', 'narrowed'],
    ['minLength comes', {}, { minLength: 1 }, '#/minLength', 'narrowed'],
    ['maxLength falls', { maxLength: 256 }, { maxLength: 50 }, '#/maxLength', 'narrowed'],
    ['minItems rises', { minItems: 1 }, { minItems: 2 }, '#/minItems', 'narrowed'],
    ['maxItems comes', {}, { maxItems: 5 }, '#/maxItems', 'narrowed'],
    ['minProperties comes', {}, { minProperties: 1 }, '#/minProperties', 'narrowed'],
    ['maxProperties falls', { maxProperties: 9 }, { maxProperties: 5 }, '#/maxProperties', 'narrowed'],
    ['entries must differ', {}, { uniqueItems: true }, '#/uniqueItems', 'narrowed'],
    ['a pattern comes', text, { type: 'string', pattern: '^a' }, '#/pattern', 'narrowed'],
    ['a format comes', text, { type: 'string', format: 'uri' }, '#/format', 'narrowed'],
    ['multipleOf comes', number, { type: 'number', multipleOf: 5 }, '#/multipleOf', 'narrowed'],
    ['not comes', {}, { not: { const: 1 } }, '#/not', 'narrowed'],
    ['contains comes', {}, { contains: text }, '#/contains', 'narrowed'],
    ['an unheard-of keyword comes', {}, { maxBytes: 5 }, '#/maxBytes', 'narrowed'],
    ['a property is required now', object({ a: text }), object({ a: text }, ['a']), '#/required', 'narrowed'],
    ['a new one is required', object({}), object({ a: text }, ['a']), '#/required', 'narrowed'],
    ['no others are allowed', {}, { additionalProperties: false }, '#/additionalProperties', 'narrowed'],
    ['others are of a type', {}, { additionalProperties: text }, '#/additionalProperties/type', 'narrowed'],
    ['names are bound', {}, { propertyNames: { maxLength: 5 } }, '#/propertyNames/maxLength', 'narrowed'],
    [
      'names by pattern',
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
    ['a choice is gone', { anyOf: [text, number] }, { anyOf: [text] }, '#/anyOf', 'narrowed'],
    ['a choice of one kind is gone', { oneOf: [text, number] }, { oneOf: [text] }, '#/oneOf', 'narrowed'],
    [
      'a condition more',
      { allOf: [text] },
      { allOf: [text, { minLength: 1 }] },
      '#/allOf/1/minLength',
      'narrowed',
    ],
    ['a condition comes', {}, { if: text, else: { minLength: 1 } }, '#/if', 'narrowed'],
    [
      'what follows a condition',
      { if: text, else: { minimum: 1 } },
      { if: text, else: { minimum: 2 } },
      '#/else/minimum',
      'narrowed',
    ],
    [
      'a property inside',
      object({ a: text }),
      object({ a: { ...text, maxLength: 5 } }),
      '#/properties/a/maxLength',
      'narrowed',
    ],
    ['nothing is allowed', text, false, '#', 'narrowed'],
    ['an enumeration grows', { enum: ['a'] }, { enum: ['a', 'b'] }, '#/enum', 'grown'],
    ['null is allowed', text, { type: ['string', 'null'] }, '#/type', 'widened'],
    ['a plain schema to a choice', text, { anyOf: [text, { type: 'null' }] }, '#/anyOf', 'widened'],
    ['an optional property comes', object({}), object({ a: text }), '#/properties/a', 'added'],
  ])('%s', (_name, before, after, pointer, effect) => {
    expect(effectsOf(before, after)).toEqual([[pointer, effect]]);
    const [back] = compareSchemas(after, before, '#');
    expect(opposites[effect]).toContain(back?.effect);
  });

  it.each<[string, Json, Json, string, Effect]>([
    ['another pattern', { pattern: '^a' }, { pattern: '^b' }, '#/pattern', 'replaced'],
    ['another format', { format: 'date' }, { format: 'uri' }, '#/format', 'replaced'],
    ['another multiple', { multipleOf: 2 }, { multipleOf: 3 }, '#/multipleOf', 'replaced'],
    ['another condition', { if: text, else: {} }, { if: number, else: {} }, '#/if', 'replaced'],
    ['another default', { default: 50 }, { default: 20 }, '#/default', 'reinterpreted'],
    ['no default any more', { default: 50 }, {}, '#/default', 'reinterpreted'],
    ['ignored on write', text, { ...text, readOnly: true }, '#/readOnly', 'reinterpreted'],
    ['written where it was ignored', { readOnly: true }, {}, '#/readOnly', 'reinterpreted'],
    ['a property is gone', object({ a: text }, ['a']), object({}), '#/properties/a', 'removed'],
  ])('%s', (_name, before, after, pointer, effect) => {
    expect(effectsOf(before, after)).toEqual([[pointer, effect]]);
  });

  it('tells both where a type goes and another comes', () => {
    expect(effectsOf(text, number)).toEqual([
      ['#/type', 'narrowed'],
      ['#/type', 'widened'],
    ]);
  });

  it('leads into the one choice that has changed', () => {
    const before = { anyOf: [text, object({ a: text })] };
    const after = { anyOf: [text, object({ a: { ...text, maxLength: 5 } })] };
    expect(effectsOf(before, after)).toEqual([['#/anyOf/1/properties/a/maxLength', 'narrowed']]);
  });

  it('minds what stands beside the choices', () => {
    const after = { maxLength: 5, anyOf: [text, { type: 'null' }] };
    expect(effectsOf(text, after)).toEqual(expect.arrayContaining([['#/anyOf', 'narrowed']]));
    expect(effectsOf({ anyOf: [text, { type: 'null' }] }, after)).toEqual([['#/maxLength', 'narrowed']]);
  });

  it('says that a value may fit one choice alone now', () => {
    expect(effectsOf({ anyOf: [text, {}] }, { oneOf: [text, {}] })).toEqual([['#/oneOf', 'narrowed']]);
  });

  it('reads both spellings of a tuple', () => {
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
    ['words for people', { title: 'a', description: 'b' }, { examples: [1], deprecated: true, 'x-a': 1 }],
    ['a default that is new', { type: 'integer' }, { type: 'integer', default: 50 }],
    [
      'the order of names',
      object({ a: text, b: text }, ['a', 'b']),
      object({ b: text, a: text }, ['b', 'a']),
    ],
    ['the order of values', { enum: ['a', 'b'] }, { enum: ['b', 'a'] }],
    ['the order of choices', { anyOf: [text, number] }, { anyOf: [number, text] }],
    ['what was so anyway', {}, { minLength: 0, uniqueItems: false, additionalProperties: true }],
    ['true for everything', true, {}],
    ['a constant as a list of one', { const: 'a' }, { enum: ['a'] }],
  ])('does not mind %s', (_name, before, after) => {
    expect(effectsOf(before, after)).toEqual([]);
    expect(effectsOf(after, before).filter(([place]) => place !== '#/default')).toEqual([]);
  });

  it('takes properties named like keywords for properties', () => {
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
  ])('says whom it breaks that something is %s', (effect, broken) => {
    const change = { pointer: '#/a', effect, what: 'a changed' };
    expect(uses.filter((use) => judge(change, use).breaking)).toEqual(broken);
    for (const use of uses) expect(judge(change, use).why).not.toBe('');
  });
});
