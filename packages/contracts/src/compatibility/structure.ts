import { type Change, changed, type Compare, type Pair } from './change.ts';
import { type Json, type JsonObject, joinPointer, listIn, namesOf, objectIn } from './json.ts';

/** Compares `properties`: added, removed, and each one that both have. */
export function compareProperties(pair: Pair, compare: Compare): Change[] {
  const before = objectIn(pair.before['properties']);
  const after = objectIn(pair.after['properties']);
  return namesOf(before, after).flatMap((name): Change[] => {
    const pointer = joinPointer(pair.pointer, 'properties', name);
    const [old, current] = [before[name], after[name]];
    if (current === undefined) return [{ pointer, effect: 'removed', what: `${name} is removed` }];
    if (old !== undefined) return compare(old, current, pointer);
    // compareRequired reports it.
    if (isRequired(pair.after, name) && !isRequired(pair.before, name)) return [];
    return [{ pointer, effect: 'added', what: `${name} is new` }];
  });
}

const isRequired = (schema: Pair['before'], name: string): boolean =>
  listIn(schema['required']).includes(name);

/** Compares `required`. */
export function compareRequired({ before, after, pointer: parent }: Pair): Change[] {
  const pointer = joinPointer(parent, 'required');
  const [old, current] = [before, after].map(({ required }) => listIn(required).map(String)) as [
    string[],
    string[],
  ];
  const known = objectIn(after['properties']);
  return [
    ...current
      .filter((name) => !old.includes(name))
      .map((name) => ({ pointer, effect: 'narrowed' as const, what: `${name} is required now` })),
    ...old
      .filter((name) => !current.includes(name) && (known[name] !== undefined || !isKnown(before, name)))
      .map((name) => ({ pointer, effect: 'widened' as const, what: `${name} may be left out now` })),
  ];
}

const isKnown = (schema: Pair['before'], name: string): boolean =>
  objectIn(schema['properties'])[name] !== undefined;

/** Compares `additionalProperties`, `unevaluatedProperties`, `propertyNames` and `patternProperties`. */
export function compareOtherProperties(pair: Pair, compare: Compare): Change[] {
  const { before, after, pointer } = pair;
  const patternsBefore = objectIn(before['patternProperties']);
  const patternsAfter = objectIn(after['patternProperties']);
  const keywords = ['additionalProperties', 'unevaluatedProperties', 'propertyNames'] as const;
  return [
    ...keywords.flatMap((keyword) => compare(before[keyword], after[keyword], joinPointer(pointer, keyword))),
    ...namesOf(patternsBefore, patternsAfter).flatMap((pattern) =>
      compare(
        patternsBefore[pattern],
        patternsAfter[pattern],
        joinPointer(pointer, 'patternProperties', pattern),
      ),
    ),
  ];
}

/** The entries by position, and the schema of all further ones. Reads tuples of both drafts. */
function entriesOf(schema: JsonObject): { readonly first: readonly Json[]; readonly rest: Json | undefined } {
  const { items, prefixItems, additionalItems } = schema;
  if (Array.isArray(items)) return { first: listIn(items), rest: additionalItems };
  return { first: listIn(prefixItems), rest: items };
}

/** Compares the entries of arrays. */
export function compareEntries(pair: Pair, compare: Compare): Change[] {
  const before = entriesOf(pair.before);
  const after = entriesOf(pair.after);
  const length = Math.max(before.first.length, after.first.length);
  const positions = Array.from({ length }, (_, index) =>
    compare(
      before.first[index] ?? before.rest,
      after.first[index] ?? after.rest,
      joinPointer(pair.pointer, 'items', index),
    ),
  );
  return [
    ...positions.flat(),
    ...compare(before.rest, after.rest, joinPointer(pair.pointer, 'items')),
    ...compare(
      pair.before['unevaluatedItems'],
      pair.after['unevaluatedItems'],
      joinPointer(pair.pointer, 'unevaluatedItems'),
    ),
    ...compareUniqueness(pair),
  ];
}

function compareUniqueness(pair: Pair): Change[] {
  const before = pair.before['uniqueItems'] === true;
  const after = pair.after['uniqueItems'] === true;
  return before === after ? [] : [changed(pair, 'uniqueItems', after ? 'narrowed' : 'widened')];
}
