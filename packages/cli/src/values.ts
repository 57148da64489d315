import { decodeHTMLStrict } from 'entities';

/** True for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property, or undefined if the value is no object. */
export function property(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** An array unchanged, null and undefined as an empty list, anything else as a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

const TAG = /<[a-z/!?]/iu;

/** Decodes the entities of plain text once. */
export function decodeText(value: unknown): unknown {
  return typeof value === 'string' ? decodeHTMLStrict(value) : value;
}

/**
 * Decodes the entities of encoded HTML once, as publishers of JSON-LD encode it. Text with tags was not encoded: its
 * entities belong to the HTML.
 */
export function decodeHtml(value: unknown): unknown {
  return typeof value === 'string' && !TAG.test(value) ? decodeHTMLStrict(value) : value;
}

/** Tabs and line breaks become single spaces, those at the ends nothing: the API takes none in a single line. */
export function oneLine(value: unknown): unknown {
  if (typeof value !== 'string' || !/[\t\n\r]/u.test(value)) return value;
  return value.replaceAll(/[\t\n\r]+/gu, ' ').trim();
}

/** The string unchanged, or undefined if it is blank or no string. */
export function visibleText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
