import { type Static, type TSchema, Type } from 'typebox';

export const INT32_MAX = 2_147_483_647;
export const INT32_MIN = -2_147_483_648;

/** A 32-bit integer as the spec's Int32: no coercion from strings. */
export const Int32 = (options: Record<string, unknown> = {}) =>
  Type.Integer({ minimum: INT32_MIN, maximum: INT32_MAX, ...options });

/**
 * Text of `1..max` Unicode code points without NUL and lone surrogates. `visible` asks for a character that is
 * not white space as well (API decisions, "Strings").
 */
export const Text = (max: number, options: { visible?: boolean } & Record<string, unknown> = {}) => {
  const { visible, ...rest } = options;
  return Type.String({ minLength: 1, maxLength: max, format: visible ? 'visible-text' : 'text', ...rest });
};

/** The longest name of a category (spec, "Limits"): as sent, and as stored. */
export const CATEGORY_NAME_MAX = 50;

/** A category's name. Unicode's composed form (NFC) of some characters is longer than what was sent. */
export const CategoryName = (options: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, maxLength: CATEGORY_NAME_MAX, format: 'category-name', ...options });

/** A real calendar date YYYY-MM-DD, years 1970-9999. */
export const CalendarDate = (options: Record<string, unknown> = {}) =>
  Type.String({ format: 'calendar-date', examples: ['2026-11-20'], ...options });

/** The schema, or null. One `type` list instead of `anyOf`, so that a violation is reported once and plainly. */
export function Nullable<S extends TSchema>(schema: S, options: Record<string, unknown> = {}) {
  const plain = schema as unknown as { type: string; enum?: unknown[] };
  return Type.Unsafe<Static<S> | null>({
    ...schema,
    ...options,
    type: [plain.type, 'null'],
    ...(plain.enum && { enum: [...plain.enum, null] }),
  });
}

/** One of the given integers or strings. */
export const OneOf = <const T extends readonly (string | number)[]>(
  values: T,
  options: Record<string, unknown> = {},
) =>
  Type.Unsafe<T[number]>({
    type: typeof values[0] === 'number' ? 'integer' : 'string',
    enum: [...values],
    ...options,
  });

/** Marks what is only ever read: in a write it is ignored without a warning (API decisions, "Unknown properties"). */
export const ReadOnly = (schema: TSchema) =>
  Type.Optional(Type.Unsafe<unknown>({ readOnly: true, description: describe(schema) }));

const describe = (schema: TSchema): string =>
  (schema as { description?: string }).description ?? 'Read-only; ignored on write.';

/** `{id, name}` as it is embedded in a job. */
export const Named = (nameMax: number) =>
  Type.Object({ id: Int32(), name: Type.String({ maxLength: nameMax }) });

/** An object of nothing, for operations without path or query. */
export const NoParams = Type.Object({});
