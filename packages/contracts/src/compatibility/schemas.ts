import { type Change, changed, type Compare, type Pair } from './change.ts';
import { isEqual, isObject, joinPointer, type Json, type JsonObject, namesOf, objectIn } from './json.ts';
import { compareReferences, type Resolve } from './references.ts';
import { compareEntries, compareOtherProperties, compareProperties, compareRequired } from './structure.ts';
import {
  besideBranches,
  compareBranches,
  compareConditions,
  distributeKeywords,
  hasBranches,
} from './unions.ts';
import { compareBounds, compareEnums, compareTypes } from './values.ts';

/** Keywords that this folder understands. It can only test others for equality. */
const understood = new Set(
  [
    'type enum const properties required additionalProperties patternProperties unevaluatedProperties',
    'propertyNames items prefixItems additionalItems unevaluatedItems uniqueItems anyOf oneOf allOf',
    'if then else default readOnly writeOnly minimum exclusiveMinimum maximum exclusiveMaximum',
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
  ].flatMap((line) => line.split(' ')),
);

/** Keywords for people. They do not affect values. */
const annotations = new Set(
  [
    'title description examples example deprecated externalDocs xml',
    '$id $schema $comment $defs definitions $anchor',
  ].flatMap((line) => line.split(' ')),
);

const isNever = (schema: Json | undefined): boolean =>
  schema === false ||
  (isObject(schema) && isObject(schema['not']) && Object.keys(schema['not']).length === 0);

/** Makes a comparison of schemas of two documents, each with its own references. */
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

/** Compares two schemas without references. */
export const compareSchemas: Compare = compareSchemasOf(
  () => undefined,
  () => undefined,
);

function compareNever(before: Json | undefined, after: Json | undefined, pointer: string): Change[] {
  if (isNever(before) && isNever(after)) return [];
  return isNever(after)
    ? [{ pointer, effect: 'narrowed', what: 'no value is allowed now' }]
    : [{ pointer, effect: 'widened', what: 'values are allowed now' }];
}

function compareWithBranches(pair: Pair, compare: Compare): Change[] {
  const { before, after, pointer } = pair;
  // A schema without branches counts as one branch, so the keywords beside the other's branches move into them.
  if (!hasBranches(before) || !hasBranches(after)) {
    return compareBranches(
      { before: distributeKeywords(before), after: distributeKeywords(after), pointer },
      compare,
    );
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
  ...compareOtherKeywords(pair),
];

/** Compares `if`, `then` and `else`. After a changed condition, the rest cannot be compared. */
function compareConditionals(pair: Pair, compare: Compare): Change[] {
  const { before, after, pointer } = pair;
  if (before['if'] === undefined && after['if'] === undefined) return [];
  if (before['if'] === undefined) return [changed(pair, 'if', 'narrowed')];
  if (after['if'] === undefined) return [changed(pair, 'if', 'widened')];
  if (compare(before['if'], after['if'], pointer).length > 0) return [changed(pair, 'if', 'replaced')];
  return ['then', 'else'].flatMap((each) => compare(before[each], after[each], joinPointer(pointer, each)));
}

/** Compares `default`, `readOnly` and `writeOnly`. A new default may only document what was so before. */
function compareMeaning(pair: Pair): Change[] {
  const { before, after } = pair;
  const changes: Change[] = [];
  if (before['default'] !== undefined && !isEqual(before['default'], after['default'])) {
    changes.push(changed(pair, 'default', 'reinterpreted'));
  }
  for (const keyword of ['readOnly', 'writeOnly']) {
    if ((before[keyword] === true) !== (after[keyword] === true)) {
      changes.push(changed(pair, keyword, 'reinterpreted'));
    }
  }
  return changes;
}

/** Compares patterns, formats, `not` and unknown keywords by equality. */
function compareOtherKeywords(pair: Pair): Change[] {
  const { before, after } = pair;
  return namesOf(before, after)
    .filter((name) => !understood.has(name) && !annotations.has(name) && !name.startsWith('x-'))
    .filter((name) => !isEqual(before[name], after[name]))
    .map((name) => changed(pair, name, effectOf(before, after, name)));
}

function effectOf(before: JsonObject, after: JsonObject, name: string): Change['effect'] {
  if (before[name] === undefined) return 'narrowed';
  return after[name] === undefined ? 'widened' : 'replaced';
}
