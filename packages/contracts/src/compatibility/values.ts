import { type Change, changed, type Pair, show } from './change.ts';
import { difference, joinPointer, type Json, type JsonObject, listIn } from './json.ts';

const allTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** A schema without `type` accepts all types, and `number` includes `integer`. */
function typesOf({ type }: JsonObject): readonly string[] {
  if (type === undefined) return allTypes;
  const named = (Array.isArray(type) ? type : [type]) as readonly string[];
  return named.includes('number') ? [...named, 'integer'] : named;
}

/** Compares `type`. */
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

/** Compares `enum` and `const`. Readers of an open enumeration ignore values that they do not know. */
export function compareEnums(pair: Pair): Change[] {
  const before = valuesOf(pair.before);
  const after = valuesOf(pair.after);
  if (before === after) return [];
  const pointer = joinPointer(pair.pointer, 'enum');
  if (before === undefined) {
    return [{ pointer, effect: 'narrowed', what: `only these values are allowed now: ${show(after)}` }];
  }
  if (after === undefined) return [{ pointer, effect: 'grown', what: 'any value is allowed now' }];
  const removed = difference(before, after);
  const added = difference(after, before);
  const effect = pair.after['x-open-enum'] === true ? ('added' as const) : ('grown' as const);
  return [
    ...removed.map((value) => ({ pointer, effect: 'narrowed' as const, what: `${show(value)} is removed` })),
    ...added.map((value) => ({ pointer, effect, what: `${show(value)} is new` })),
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

/** An absent bound has a default: no count is below 0, and `contains` needs one match. */
function boundOf(schema: JsonObject, keyword: string, none: number): number {
  const value = schema[keyword];
  if (typeof value === 'number') return value;
  if (keyword === 'minContains') return 1;
  return /^min[A-Z]/.test(keyword) ? 0 : none;
}

/** Compares lengths, counts and limits. */
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
