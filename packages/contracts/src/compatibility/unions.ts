import type { Change, Compare, Pair } from './change.ts';
import { difference, isObject, joinPointer, type Json, type JsonObject, listIn, objectIn } from './json.ts';

/** The branches of `anyOf` or `oneOf`; a schema without them is its own only branch. */
function branchesOf(schema: JsonObject): readonly Json[] {
  const { anyOf, oneOf } = schema;
  return listIn(anyOf ?? oneOf ?? [schema]);
}

/** Copies the keywords beside the branches into each branch. */
export function distributeKeywords(schema: JsonObject): JsonObject {
  if (!hasBranches(schema)) return schema;
  const beside = besideBranches(schema);
  const branches = branchesOf(schema).map((each) =>
    isObject(each) ? Object.assign({}, beside, each) : each,
  );
  return schema['anyOf'] === undefined ? { oneOf: branches } : { anyOf: branches };
}

export const hasBranches = ({ anyOf, oneOf }: JsonObject): boolean =>
  anyOf !== undefined || oneOf !== undefined;

/** The keywords beside the branches, which apply to each of them. */
export const besideBranches = ({ anyOf: _any, oneOf: _one, ...beside }: JsonObject): JsonObject => beside;

const growing = new Set<Change['effect']>(['widened', 'grown', 'added']);

/** Compares `anyOf` and `oneOf`. Each old branch must fit into a current one. */
export function compareBranches(pair: Pair, compare: Compare): Change[] {
  const { before, after, pointer } = pair;
  const fits = (inner: Json, outer: Json) =>
    compare(inner, outer, pointer).every(({ effect }) => growing.has(effect));
  const [old, current] = [branchesOf(before), branchesOf(after)];
  const place = joinPointer(pointer, after['oneOf'] === undefined ? 'anyOf' : 'oneOf');
  const [left, right] = [difference(old, current), difference(current, old)];
  const [was, is] = [left[0], right[0]];
  if (left.length === 1 && right.length === 1 && was !== undefined && is !== undefined) {
    return compare(was, is, joinPointer(place, current.indexOf(is)));
  }
  const removed = old.filter((each) => !current.some((other) => fits(each, other)));
  const added = current.filter((each) => !old.some((other) => fits(each, other)));
  const exclusive = before['oneOf'] === undefined && after['oneOf'] !== undefined && hasBranches(before);
  return [
    ...removed.map((each) => change(place, 'narrowed', `a choice is removed or narrowed: ${labelOf(each)}`)),
    ...added.map((each) => change(place, 'widened', `a choice is new or wider: ${labelOf(each)}`)),
    ...(exclusive ? [change(place, 'narrowed', 'a value that fits two choices is invalid now')] : []),
  ];
}

const change = (pointer: string, effect: Change['effect'], what: string): Change => ({
  pointer,
  effect,
  what,
});

const labelOf = (schema: Json): string => {
  const { title, type } = objectIn(schema);
  return JSON.stringify(title ?? type ?? schema).slice(0, 200);
};

/** Compares `allOf`. */
export function compareConditions({ before, after, pointer: at }: Pair, compare: Compare): Change[] {
  const [old, current] = [listIn(before['allOf']), listIn(after['allOf'])];
  const length = Math.max(old.length, current.length);
  return Array.from({ length }, (_, index) =>
    compare(old[index], current[index], joinPointer(at, 'allOf', index)),
  ).flat();
}
