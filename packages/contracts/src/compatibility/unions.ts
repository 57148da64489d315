import type { Change } from './change.ts';
import { isObject, type Json, type JsonObject, listIn, objectIn, under, without } from './json.ts';
import type { Compare, Pair } from './pair.ts';

/** The branches of `anyOf` or `oneOf`; a schema without them is the only branch of itself. */
function branchesOf(schema: JsonObject): readonly Json[] {
  const { anyOf, oneOf } = schema;
  return listIn(anyOf ?? oneOf ?? [schema]);
}

/** The same schema with what stands beside its branches in each of them. */
export function spread(schema: JsonObject): JsonObject {
  if (!hasBranches(schema)) return schema;
  const beside = besideBranches(schema);
  const branches = branchesOf(schema).map((each) =>
    isObject(each) ? Object.assign({}, beside, each) : each,
  );
  return schema['anyOf'] === undefined ? { oneOf: branches } : { anyOf: branches };
}

export const hasBranches = ({ anyOf, oneOf }: JsonObject): boolean =>
  anyOf !== undefined || oneOf !== undefined;

/** What stands beside the branches and holds for each of them. */
export const besideBranches = ({ anyOf: _any, oneOf: _one, ...beside }: JsonObject): JsonObject => beside;

const growing = new Set<Change['effect']>(['widened', 'grown', 'added']);

/** Changes of `anyOf` and `oneOf`. Each branch must go on in one that takes as much. */
export function compareBranches(pair: Pair, compare: Compare): Change[] {
  const { before, after, pointer } = pair;
  const fits = (inner: Json, outer: Json) =>
    compare(inner, outer, pointer).every(({ effect }) => growing.has(effect));
  const [old, today] = [branchesOf(before), branchesOf(after)];
  const place = under(pointer, after['oneOf'] === undefined ? 'anyOf' : 'oneOf');
  const [left, right] = [without(old, today), without(today, old)];
  const [was, is] = [left[0], right[0]];
  if (left.length === 1 && right.length === 1 && was !== undefined && is !== undefined) {
    return compare(was, is, under(place, today.indexOf(is)));
  }
  const lost = old.filter((each) => !today.some((other) => fits(each, other)));
  const fresh = today.filter((each) => !old.some((other) => fits(each, other)));
  const exclusive = before['oneOf'] === undefined && after['oneOf'] !== undefined && hasBranches(before);
  return [
    ...lost.map((each) => said(place, 'narrowed', `a choice was taken away or narrowed: ${brief(each)}`)),
    ...fresh.map((each) => said(place, 'widened', `a choice is new or wider: ${brief(each)}`)),
    ...(exclusive ? [said(place, 'narrowed', 'a value that fits two choices is refused now')] : []),
  ];
}

const said = (pointer: string, effect: Change['effect'], what: string): Change => ({ pointer, effect, what });

const brief = (schema: Json): string => {
  const { title, type } = objectIn(schema);
  return JSON.stringify(title ?? type ?? schema).slice(0, 200);
};

/** Changes of `allOf`: one more is one more condition. */
export function compareConditions({ before, after, pointer: at }: Pair, compare: Compare): Change[] {
  const [old, today] = [listIn(before['allOf']), listIn(after['allOf'])];
  const length = Math.max(old.length, today.length);
  return Array.from({ length }, (_, index) =>
    compare(old[index], today[index], under(at, 'allOf', index)),
  ).flat();
}
