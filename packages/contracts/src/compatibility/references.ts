import type { Compare } from './change.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** Finds the target of a `$ref` in its document. */
export type Resolve = (reference: string) => Json | undefined;

/** Makes a resolver of references `#/a/b` (RFC 6901, section 6). */
export const resolverOf =
  (document: Json): Resolve =>
  (reference) => {
    const tokens = reference.split('/').slice(1).map(unescape);
    return tokens.reduce<Json | undefined>((at, token) => (at as JsonObject | undefined)?.[token], document);
  };

const unescape = (token: string): string =>
  decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');

const referenceIn = (schema: Json | undefined): string | undefined =>
  isObject(schema) && typeof schema['$ref'] === 'string' ? schema['$ref'] : undefined;

/** The target of the schema's reference, with the keywords beside the reference. */
export function dereference(schema: Json | undefined, resolve: Resolve): Json | undefined {
  const reference = referenceIn(schema);
  if (reference === undefined) return schema;
  const { $ref: _, ...beside } = schema as JsonObject;
  const target = dereference(resolve(reference), resolve);
  return isObject(target) ? { ...target, ...beside } : target;
}

/** Follows references on both sides, and stops at recursion. */
export function compareReferences(before: Resolve, after: Resolve, compare: Compare): Compare {
  const visiting = new Set<string>();
  return (old, current, pointer) => {
    const names = [referenceIn(old), referenceIn(current)];
    if (names.every((name) => name === undefined)) return compare(old, current, pointer);
    const key = names.join(' ');
    if (visiting.has(key)) return [];
    visiting.add(key);
    try {
      return compare(dereference(old, before), dereference(current, after), pointer);
    } finally {
      visiting.delete(key);
    }
  };
}
