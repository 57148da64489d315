import { type Static, type TSchema, Type } from 'typebox';

export const INT32_MAX = 2_147_483_647;
export const INT32_MIN = -2_147_483_648;

/** A 32-bit integer as the spec's Int32: no coercion from strings. */
export const Int32 = (options: Record<string, unknown> = {}) =>
  Type.Integer({ minimum: INT32_MIN, maximum: INT32_MAX, ...options });

/**
 * One line of `1..max` Unicode code points without control characters and lone surrogates. `visible` requires a
 * character that is not white space (API decisions, "Strings").
 */
export const Text = (max: number, options: { visible?: boolean } & Record<string, unknown> = {}) => {
  const { visible, ...rest } = options;
  return Type.String({ minLength: 1, maxLength: max, format: visible ? 'visible-text' : 'text', ...rest });
};

/** The longest category name, as sent and as stored (spec, "Limits"). */
export const CATEGORY_NAME_MAX = 50;

/** A category's name. The format checks the length of its NFC form too, which can be longer. */
export const CategoryName = (options: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, maxLength: CATEGORY_NAME_MAX, format: 'category-name', ...options });

/** A real calendar date YYYY-MM-DD, years 1970-9999. */
export const CalendarDate = (options: Record<string, unknown> = {}) =>
  Type.String({ format: 'calendar-date', examples: ['2026-11-20'], ...options });

/** The schema, or null. A `type` list gives one clear violation, `anyOf` several. */
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

/** Ids that each have a name, which generated clients use for the value. `said` goes before the names. */
export const OneOfNamed = <const T extends number>(
  ids: readonly T[],
  names: Readonly<Record<T, string>>,
  said = '',
) =>
  OneOf(ids, {
    description: `${said}${ids.map((id) => `${id} ${names[id]}`).join(', ')}.`,
    'x-enum-varnames': ids.map((id) => names[id].replaceAll(/\W/g, '')),
  });

/** A read-only property: writes ignore it without a warning (API decisions, "Unknown properties"). */
export const ReadOnly = (schema: TSchema) =>
  Type.Optional(Type.Unsafe<unknown>({ readOnly: true, description: describe(schema) }));

const describe = (schema: TSchema): string =>
  (schema as { description?: string }).description ?? 'Read-only; ignored on write.';

/** `{id, name}` inside a job. */
export const Named = (nameMax: number) =>
  Type.Object({ id: Int32(), name: Type.String({ maxLength: nameMax }) });

/** For operations without path or query parameters. */
export const NoParams = Type.Object({});

/**
 * White space, control and invisible format characters, and what the URL standard calls no URL code point: people and
 * pages read such an address as another one than the browser opens (API decisions, "description", "applicationUrl").
 */
export const deceptiveInUrl = /[\s\p{Cc}\p{Cf}"<>\\^`{|}]/u;

/**
 * The stored form of a name: NFC, trimmed, single spaces (API decisions, "Categories"). Check the length first: NFC is
 * quadratic on combining marks.
 */
export const foldName = (name: string): string => name.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();

/**
 * Equal for names that differ only in case, composition and white space. JavaScript has no full case folding: upper
 * case makes "Straße" equal "STRASSE", and lower case before it makes "STRAẞE" equal both. Check the length first.
 */
export const nameKey = (name: string): string =>
  foldName(name).toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
