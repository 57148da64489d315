/** Patterns of ECMA-262, as JSON Schema has them: what the description can say of formats that are our own. */

const NO_NUL = String.raw`^[^\u0000]*$`;
const VISIBLE = String.raw`^[^\u0000]*[^\s\u0000][^\u0000]*$`;
const YEAR = String.raw`(19[7-9]\d|[2-9]\d{3})`;

/** Formats of the contracts, as schemas that any reader of JSON Schema understands. */
export const formatSchemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  text: { pattern: NO_NUL },
  'visible-text': { pattern: VISIBLE },
  'category-name': { pattern: VISIBLE },
  'calendar-date': { format: 'date', pattern: String.raw`^${YEAR}-\d{2}-\d{2}$` },
  'date-time': { format: 'date-time', pattern: String.raw`^${YEAR}-\d{2}-\d{2}T` },
  'email-address': { format: 'email' },
  'web-url': { format: 'uri', pattern: '^[hH][tT][tT][pP][sS]?://' },
};

/** If-Match: `*`, or entity tags with commas between (RFC 9110, section 13.1.1). */
export const IF_MATCH = String.raw`^(\*|(W/)?"[!#-~]*"([ \t]*,[ \t]*(W/)?"[!#-~]*")*)$`;
