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
