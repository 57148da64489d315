import { compareEntries } from './arrays.ts';
import type { Change } from './change.ts';
import { isObject, type Json, type JsonObject, namesOf, objectIn, same, under } from './json.ts';
import { compareOtherProperties, compareProperties, compareRequired } from './objects.ts';
import { changed, type Compare, type Pair } from './pair.ts';
import { compareReferences, type Resolve } from './references.ts';
import { besideBranches, compareBranches, compareConditions, hasBranches, spread } from './unions.ts';
import { compareBounds, compareEnums, compareTypes } from './values.ts';

/** What the files beside this one compare. Anything else can only be compared as it stands. */
const understood = new Set(
  [
    'type enum const properties required additionalProperties patternProperties unevaluatedProperties',
    'propertyNames items prefixItems additionalItems unevaluatedItems uniqueItems anyOf oneOf allOf',
    'if then else default readOnly writeOnly minimum exclusiveMinimum maximum exclusiveMaximum',
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
  ].flatMap((line) => line.split(' ')),
);

/** Says something to people, nothing about values. */
const annotations = new Set(
  [
    'title description examples example deprecated externalDocs xml',
    '$id $schema $comment $defs definitions $anchor',
  ].flatMap((line) => line.split(' ')),
);

const isNever = (schema: Json | undefined): boolean =>
  schema === false ||
  (isObject(schema) && isObject(schema['not']) && Object.keys(schema['not']).length === 0);

/** A comparison of schemas of two documents, each of which resolves its own references. */
export function compareSchemasOf(resolveBefore: Resolve, resolveAfter: Resolve): Compare {
  const compare: Compare = compareReferences(resolveBefore, resolveAfter, (before, after, pointer) => {
    if (before === undefined && after === undefined) return [];
    if (isNever(before) || isNever(after)) return compareNever(before, after, pointer);
    const pair = { before: objectIn(before), after: objectIn(after), pointer };
    if (!hasBranches(pair.before) && !hasBranches(pair.after)) return compareKeywords(pair, compare);
    return compareWithBranches(pair, compare);
  });
  return compare;
}

/** Compares two schemas without references. Pointers start with `pointer`. */
export const compareSchemas: Compare = compareSchemasOf(
  () => undefined,
  () => undefined,
);

function compareNever(before: Json | undefined, after: Json | undefined, pointer: string): Change[] {
  if (isNever(before) && isNever(after)) return [];
  return isNever(after)
    ? [{ pointer, effect: 'narrowed', what: 'nothing is allowed here any more' }]
    : [{ pointer, effect: 'widened', what: 'something is allowed here now' }];
}

function compareWithBranches(pair: Pair, compare: Compare): Change[] {
  const { before, after, pointer } = pair;
  // A schema without branches is a branch itself, with all that the other has beside its own.
  if (!hasBranches(before) || !hasBranches(after)) {
    return compareBranches({ before: spread(before), after: spread(after), pointer }, compare);
  }
  const beside = { before: besideBranches(before), after: besideBranches(after), pointer };
  return [...compareBranches(pair, compare), ...compareKeywords(beside, compare)];
}

const compareKeywords = (pair: Pair, compare: Compare): Change[] => [
  ...compareTypes(pair),
  ...compareEnums(pair),
  ...compareBounds(pair),
  ...compareProperties(pair, compare),
  ...compareRequired(pair),
  ...compareOtherProperties(pair, compare),
  ...compareEntries(pair, compare),
  ...compareConditions(pair, compare),
  ...compareConditionals(pair, compare),
  ...compareMeaning(pair),
  ...compareTheRest(pair),
];

/** Changes of `if`, `then` and `else`. Under another condition, what follows cannot be compared. */
function compareConditionals(pair: Pair, compare: Compare): Change[] {
  const { before, after, pointer } = pair;
  if (before['if'] === undefined && after['if'] === undefined) return [];
  if (before['if'] === undefined) return [changed(pair, 'if', 'narrowed')];
  if (after['if'] === undefined) return [changed(pair, 'if', 'widened')];
  if (compare(before['if'], after['if'], pointer).length > 0) return [changed(pair, 'if', 'replaced')];
  return ['then', 'else'].flatMap((each) => compare(before[each], after[each], under(pointer, each)));
}

/** Changes of what a value does, or its absence. A default that is new may only say what was so before. */
function compareMeaning(pair: Pair): Change[] {
  const { before, after } = pair;
  const found: Change[] = [];
  if (before['default'] !== undefined && !same(before['default'], after['default'])) {
    found.push(changed(pair, 'default', 'reinterpreted'));
  }
  for (const keyword of ['readOnly', 'writeOnly']) {
    if ((before[keyword] === true) !== (after[keyword] === true)) {
      found.push(changed(pair, keyword, 'reinterpreted'));
    }
  }
  return found;
}

/** Everything else: patterns, formats, `not`, and whatever this program has not heard of. */
function compareTheRest(pair: Pair): Change[] {
  const { before, after } = pair;
  return namesOf(before, after)
    .filter((name) => !understood.has(name) && !annotations.has(name) && !name.startsWith('x-'))
    .filter((name) => !same(before[name], after[name]))
    .map((name) => changed(pair, name, effectOf(before, after, name)));
}

function effectOf(before: JsonObject, after: JsonObject, name: string): Change['effect'] {
  if (before[name] === undefined) return 'narrowed';
  return after[name] === undefined ? 'widened' : 'replaced';
}
