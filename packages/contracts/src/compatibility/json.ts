export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectIn = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

export const listIn = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

export const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** The value as JSON with sorted names, so that equal values have equal text. */
export function plainJson(value: unknown): Json {
  return sorted(JSON.parse(JSON.stringify(value ?? null)) as Json);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}

export const isEqual = (a: Json | undefined, b: Json | undefined): boolean =>
  JSON.stringify(plainJson(a)) === JSON.stringify(plainJson(b));

/** The values of the first list that the second lacks. */
export const difference = (some: readonly Json[], others: readonly Json[]): Json[] =>
  some.filter((value) => !others.some((other) => isEqual(value, other)));

/** Appends tokens to a JSON Pointer (RFC 6901). */
export const joinPointer = (pointer: string, ...tokens: readonly (string | number)[]): string =>
  [pointer, ...tokens.map((token) => String(token).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');

/** The names of both objects, without duplicates. */
export const namesOf = (a: object, b: object): string[] => [
  ...new Set([...Object.keys(a), ...Object.keys(b)]),
];
