import type { Change } from './change.ts';
import { listIn, namesOf, objectIn, under } from './json.ts';
import type { Compare, Pair } from './pair.ts';

/** Changes of properties: which there are, which must be there, and each of them. */
export function compareProperties(pair: Pair, compare: Compare): Change[] {
  const before = objectIn(pair.before['properties']);
  const after = objectIn(pair.after['properties']);
  return namesOf(before, after).flatMap((name): Change[] => {
    const pointer = under(pair.pointer, 'properties', name);
    const [old, today] = [before[name], after[name]];
    if (today === undefined) return [{ pointer, effect: 'removed', what: `${name} is gone` }];
    if (old !== undefined) return compare(old, today, pointer);
    // That it is required says it all.
    if (isRequired(pair.after, name) && !isRequired(pair.before, name)) return [];
    return [{ pointer, effect: 'added', what: `${name} is new` }];
  });
}

const isRequired = (schema: Pair['before'], name: string): boolean =>
  listIn(schema['required']).includes(name);

/** Changes of `required`. */
export function compareRequired({ before, after, pointer: place }: Pair): Change[] {
  const pointer = under(place, 'required');
  const [old, today] = [before, after].map(({ required }) => listIn(required).map(String)) as [
    string[],
    string[],
  ];
  const known = objectIn(after['properties']);
  return [
    ...today
      .filter((name) => !old.includes(name))
      .map((name) => ({ pointer, effect: 'narrowed' as const, what: `${name} is required now` })),
    ...old
      .filter((name) => !today.includes(name) && (known[name] !== undefined || !isKnown(before, name)))
      .map((name) => ({ pointer, effect: 'widened' as const, what: `${name} may be left out now` })),
  ];
}

const isKnown = (schema: Pair['before'], name: string): boolean =>
  objectIn(schema['properties'])[name] !== undefined;

/** Changes of what else an object may have: `additionalProperties`, `patternProperties`, `propertyNames`. */
export function compareOtherProperties(pair: Pair, compare: Compare): Change[] {
  const { before, after, pointer } = pair;
  const patternsBefore = objectIn(before['patternProperties']);
  const patternsAfter = objectIn(after['patternProperties']);
  const rest = ['additionalProperties', 'unevaluatedProperties', 'propertyNames'] as const;
  return [
    ...rest.flatMap((keyword) => compare(before[keyword], after[keyword], under(pointer, keyword))),
    ...namesOf(patternsBefore, patternsAfter).flatMap((pattern) =>
      compare(patternsBefore[pattern], patternsAfter[pattern], under(pointer, 'patternProperties', pattern)),
    ),
  ];
}
