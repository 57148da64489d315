import { isDeepStrictEqual } from 'node:util';
import { plainSchema } from '@joblisting/contracts';
import { namedSchemas, ruledSchemas } from './named-schemas.ts';

/** If-Match: `*`, or entity tags with commas between (RFC 9110, section 13.1.1). */
export const IF_MATCH = String.raw`^(\*|(W/)?"[!#-~]*"([ \t]*,[ \t]*(W/)?"[!#-~]*")*)$`;

export type Json = Readonly<Record<string, unknown>>;

const nameOf = new Map(Object.entries(namedSchemas).map(([name, schema]) => [schema, name] as const));

/** For copies of a schema with a description of their own, or that take null: by everything else. */
const nameOfShape = new Map(
  Object.entries(namedSchemas)
    .toReversed()
    .map(([name, schema]) => [shapeOf(schema), name] as const),
);

export function componentSchemas(): Json {
  return Object.fromEntries(
    Object.entries(namedSchemas).map(([name, schema]) => [
      name,
      plainSchema(ruledSchemas.get(schema) ?? schema, describeSchema),
    ]),
  );
}

/** A contract's schema for the description: named ones by reference. */
export function describeSchema(schema: object): Json {
  const name = nameOf.get(schema);
  if (name !== undefined) return referenceTo(name);
  const { description, ...rest } = schema as Record<string, unknown>;
  const said = description === undefined ? {} : { description };
  const copied = nameOfShape.get(shapeOf(schema));
  if (copied !== undefined) return { ...referenceTo(copied), ...said };
  const copiedBesideNull = takesNull(schema) && nameOfShape.get(shapeOf({ ...rest, type: 'object' }));
  return copiedBesideNull
    ? { anyOf: [referenceTo(copiedBesideNull), { type: 'null' }], ...said }
    : plainSchema(schema, describeSchema);
}

/** The name of the component that describes the schema, if there is one. */
export const componentNameOf = (schema: object): string | undefined =>
  nameOf.get(schema) ?? nameOfShape.get(shapeOf(schema));

/** Refers to a component of the description. */
export const referenceTo = (name: string, kind = 'schemas'): Json => ({
  $ref: `#/components/${kind}/${name}`,
});

const takesNull = (schema: object): boolean =>
  isDeepStrictEqual((schema as { type?: unknown }).type, ['object', 'null']);

function shapeOf(schema: object): string {
  return JSON.stringify(
    Object.entries(schema)
      .filter(([key]) => key !== 'description')
      .toSorted(([one], [other]) => one.localeCompare(other)),
  );
}
