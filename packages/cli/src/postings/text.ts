import { decodeHTMLStrict } from 'entities';

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

/** The string unchanged, or undefined if it is blank or no string. */
export function visibleText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
