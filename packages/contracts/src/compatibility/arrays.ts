import type { Change } from './change.ts';
import { type Json, type JsonObject, listIn, under } from './json.ts';
import { changed, type Compare, type Pair } from './pair.ts';

/** The first entries by position, and what all others have to be. Tuples of both spellings, old and new. */
function entriesOf(schema: JsonObject): { readonly first: readonly Json[]; readonly rest: Json | undefined } {
  const { items, prefixItems, additionalItems } = schema;
  if (Array.isArray(items)) return { first: listIn(items), rest: additionalItems };
  return { first: listIn(prefixItems), rest: items };
}

/** Changes of an array's entries. */
export function compareEntries(pair: Pair, compare: Compare): Change[] {
  const before = entriesOf(pair.before);
  const after = entriesOf(pair.after);
  const length = Math.max(before.first.length, after.first.length);
  const positions = Array.from({ length }, (_, index) =>
    compare(
      before.first[index] ?? before.rest,
      after.first[index] ?? after.rest,
      under(pair.pointer, 'items', index),
    ),
  );
  return [
    ...positions.flat(),
    ...compare(before.rest, after.rest, under(pair.pointer, 'items')),
    ...compare(
      pair.before['unevaluatedItems'],
      pair.after['unevaluatedItems'],
      under(pair.pointer, 'unevaluatedItems'),
    ),
    ...compareUniqueness(pair),
  ];
}

function compareUniqueness(pair: Pair): Change[] {
  const before = pair.before['uniqueItems'] === true;
  const after = pair.after['uniqueItems'] === true;
  return before === after ? [] : [changed(pair, 'uniqueItems', after ? 'narrowed' : 'widened')];
}
