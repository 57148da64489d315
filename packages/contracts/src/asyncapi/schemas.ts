import { IsSchema } from 'typebox';
import * as contracts from '../index.ts';
import { plainSchema } from '../plain-schema.ts';
import * as envelopes from './envelopes.ts';

export type Document = Readonly<Record<string, unknown>>;

/** Schemas by the names under which they are exported, as no other objects are, in Pascal case. */
const exported: readonly (readonly [string, unknown])[] = Object.entries({ ...contracts, ...envelopes });
const named = exported.filter(
  (entry): entry is readonly [string, object] => /^[A-Z][a-z]/.test(entry[0]) && IsSchema(entry[1]),
);
const nameOf = new Map<object, string>(named.map(([name, schema]) => [schema, name] as const));

export const componentSchemas = (): Document =>
  Object.fromEntries(named.map(([name, schema]) => [name, plainSchema(schema, describeSchema)]));

/** A schema for the description: exported ones by reference. */
export function describeSchema(schema: object): Document {
  const name = nameOf.get(schema);
  return name === undefined ? plainSchema(schema, describeSchema) : { $ref: `#/components/schemas/${name}` };
}
