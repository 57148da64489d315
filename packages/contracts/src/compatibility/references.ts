import { isObject, type Json, type JsonObject } from './json.ts';
import type { Compare } from './pair.ts';

/** What a `$ref` stands for in its document; undefined where it is not there. */
export type Resolve = (reference: string) => Json | undefined;

/** Resolves references of the form `#/a/b` in a document (RFC 6901, section 6). */
export const within =
  (document: Json): Resolve =>
  (reference) => {
    const tokens = reference.split('/').slice(1).map(unescape);
    return tokens.reduce<Json | undefined>((at, token) => (at as JsonObject | undefined)?.[token], document);
  };

const unescape = (token: string): string =>
  decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');

export const referenceIn = (schema: Json | undefined): string | undefined =>
  isObject(schema) && typeof schema['$ref'] === 'string' ? schema['$ref'] : undefined;

/** The schema that is meant, with what stands beside its reference. */
export function followed(schema: Json | undefined, resolve: Resolve): Json | undefined {
  const reference = referenceIn(schema);
  if (reference === undefined) return schema;
  const { $ref: _, ...beside } = schema as JsonObject;
  const target = followed(resolve(reference), resolve);
  return isObject(target) ? { ...target, ...beside } : target;
}

/** Follows references on both sides, and stops where a schema holds itself. */
export function compareReferences(before: Resolve, after: Resolve, compare: Compare): Compare {
  const underWay = new Set<string>();
  return (old, today, pointer) => {
    const names = [referenceIn(old), referenceIn(today)];
    if (names.every((name) => name === undefined)) return compare(old, today, pointer);
    const key = names.join(' ');
    if (underWay.has(key)) return [];
    underWay.add(key);
    try {
      return compare(followed(old, before), followed(today, after), pointer);
    } finally {
      underWay.delete(key);
    }
  };
}
