import type { Change } from './change.ts';
import { type Json, type JsonObject, listIn, under, without } from './json.ts';
import { changed, type Pair, show } from './pair.ts';

const allTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** A schema without `type` takes them all, and a number is an integer as well. */
function typesOf({ type }: JsonObject): readonly string[] {
  if (type === undefined) return allTypes;
  const named = (Array.isArray(type) ? type : [type]) as readonly string[];
  return named.includes('number') ? [...named, 'integer'] : named;
}

/** Changes of `type`. */
export function compareTypes(pair: Pair): Change[] {
  const before = typesOf(pair.before);
  const after = typesOf(pair.after);
  return [
    ...(before.every((type) => after.includes(type)) ? [] : [changed(pair, 'type', 'narrowed')]),
    ...(after.every((type) => before.includes(type)) ? [] : [changed(pair, 'type', 'widened')]),
  ];
}

const valuesOf = (schema: JsonObject): readonly Json[] | undefined => {
  if (schema['const'] !== undefined) return [schema['const']];
  return schema['enum'] === undefined ? undefined : listIn(schema['enum']);
};

/** Changes of `enum` and `const`. */
export function compareEnums(pair: Pair): Change[] {
  const before = valuesOf(pair.before);
  const after = valuesOf(pair.after);
  if (before === after) return [];
  const pointer = under(pair.pointer, 'enum');
  if (before === undefined) {
    return [{ pointer, effect: 'narrowed', what: `only these values are left: ${show(after)}` }];
  }
  if (after === undefined) return [{ pointer, effect: 'widened', what: 'any value is allowed now' }];
  const gone = without(before, after);
  const fresh = without(after, before);
  return [
    ...gone.map((value) => ({ pointer, effect: 'narrowed' as const, what: `${show(value)} was taken away` })),
    ...fresh.map((value) => ({ pointer, effect: 'grown' as const, what: `${show(value)} is new` })),
  ];
}

const lower = [
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
  'minContains',
] as const;
const upper = [
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'maxContains',
] as const;

/** What an absent bound stands for: no count is below 0, and `contains` wants one. */
function boundOf(schema: JsonObject, keyword: string, none: number): number {
  const value = schema[keyword];
  if (typeof value === 'number') return value;
  if (keyword === 'minContains') return 1;
  return /^min[A-Z]/.test(keyword) ? 0 : none;
}

/** Changes of lengths, counts and limits. */
export function compareBounds(pair: Pair): Change[] {
  const compared = (keyword: string, none: number, sign: 1 | -1): Change[] => {
    const rise = sign * (boundOf(pair.after, keyword, none) - boundOf(pair.before, keyword, none));
    if (Number.isNaN(rise) || rise === 0) return [];
    return [changed(pair, keyword, rise > 0 ? 'narrowed' : 'widened')];
  };
  return [
    ...lower.flatMap((keyword) => compared(keyword, Number.NEGATIVE_INFINITY, 1)),
    ...upper.flatMap((keyword) => compared(keyword, Number.POSITIVE_INFINITY, -1)),
  ];
}
