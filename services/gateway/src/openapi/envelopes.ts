import type { Row } from '../routes/row.ts';
import { namedSchemas } from './named-schemas.ts';
import { componentNameOf, describeSchema, type Json, referenceTo } from './schemas.ts';

/** The answer of a row, by the name that clients know it by. */
export const envelopeOf = (row: Row): Json => referenceTo(nameOf(row));

/** The answers of all rows: `JobAnswer` with one job, `JobHeaderList` with a list. */
export const envelopeSchemas = (table: readonly Row[]): Json =>
  Object.fromEntries(
    table.filter(({ operation }) => operation.reply).map((row) => [nameOf(row), schemaOf(row)]),
  );

function nameOf({ operation, name }: Row): string {
  const { type, items } = operation.reply as unknown as { type?: string; items?: object };
  const data = componentNameOf(type === 'array' && items ? items : (operation.reply ?? {}));
  if (data === undefined) throw new Error(`the data of ${name} has no name`);
  const envelope = data + (type === 'array' ? 'List' : 'Answer');
  if (envelope in namedSchemas) throw new Error(`two schemas are named ${envelope}`);
  return envelope;
}

function schemaOf({ operation, paged, followed }: Row): Json {
  const properties = {
    ...(followed && { paging: referenceTo('CursorPaging') }),
    ...(paged && { paging: referenceTo('Paging') }),
    data: describeSchema(operation.reply ?? {}),
    warnings: { type: 'array', maxItems: 50, items: referenceTo('Warning') },
  };
  return { type: 'object', required: Object.keys(properties), properties };
}
