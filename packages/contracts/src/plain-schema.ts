const CONTROLS = String.raw`\u0000-\u001f\u007f-\u009f`;
/** All of them but tab, CR and LF. */
const LINE_CONTROLS = String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f`;
const visible = (controls: string): string => `^[^${controls}]*[^\\s${controls}][^${controls}]*$`;
const YEAR = String.raw`(19[7-9]\d|[2-9]\d{3})`;

/** Formats of the contracts as schemas that any reader of JSON Schema understands. */
export const formatSchemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  text: { pattern: `^[^${CONTROLS}]*$` },
  'multiline-text': { pattern: `^[^${LINE_CONTROLS}]*$` },
  'visible-text': { pattern: visible(CONTROLS) },
  'category-name': { pattern: visible(LINE_CONTROLS) },
  'calendar-date': { format: 'date', pattern: String.raw`^${YEAR}-\d{2}-\d{2}$` },
  'date-time': { format: 'date-time', pattern: String.raw`^${YEAR}-\d{2}-\d{2}T` },
  'email-address': { format: 'email' },
  'web-url': { format: 'uri', pattern: String.raw`^[hH][tT][tT][pP][sS]?://[^\s"<>\\^\x60{|}]+$` },
};

type Json = Readonly<Record<string, unknown>>;

/**
 * A contract's schema as any reader of JSON Schema understands it.
 * @param describe makes what stands for each schema inside, such as a reference
 */
export function plainSchema(schema: object, describe: (inner: object) => Json): Json {
  const inner = (key: string, value: unknown): unknown => {
    if (key === 'examples' || key === 'default' || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((entry) => inner('', entry));
    if (key !== 'properties') return describe(value);
    return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, describe(property)]));
  };
  const entries = Object.entries(schema).flatMap(([key, value]) =>
    key === 'format'
      ? Object.entries(formatSchemas[String(value)] ?? { format: value })
      : [[key, inner(key, value)] as const],
  );
  return Object.fromEntries(entries);
}
