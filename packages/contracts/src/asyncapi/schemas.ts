import { IsSchema } from 'typebox';
import { formatSchemas } from '../format-schemas.ts';
import * as contracts from '../index.ts';
import * as envelopes from './envelopes.ts';

export type Document = Readonly<Record<string, unknown>>;

/** Schemas by the names under which they are exported, as no other objects are, in Pascal case. */
const exported: readonly (readonly [string, unknown])[] = Object.entries({ ...contracts, ...envelopes });
const named = exported.filter(
  (entry): entry is readonly [string, object] => /^[A-Z][a-z]/.test(entry[0]) && IsSchema(entry[1]),
);
const nameOf = new Map<object, string>(named.map(([name, schema]) => [schema, name] as const));

export const componentSchemas = (): Document =>
  Object.fromEntries(named.map(([name, schema]) => [name, plain(schema)]));

/** A schema for the description: exported ones by reference. */
export function describeSchema(schema: object): Document {
  const name = nameOf.get(schema);
  return name === undefined ? plain(schema) : { $ref: `#/components/schemas/${name}` };
}

function plain(schema: object): Document {
  const entries = Object.entries(schema).flatMap(([key, value]) =>
    key === 'format'
      ? Object.entries(formatSchemas[String(value)] ?? { format: value })
      : [[key, inner(key, value)] as const],
  );
  return Object.fromEntries(entries);
}

function inner(key: string, value: unknown): unknown {
  if (key === 'examples' || key === 'default' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => inner('', entry));
  if (key === 'properties')
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, describeSchema(schema)]));
  return describeSchema(value);
}
