import { decodeHTMLStrict } from 'entities';

const TAG = /<[a-z/!?]/iu;

/** Plain text whose source encoded it for HTML, with its entities decoded once. */
export function decodeText(value: unknown): unknown {
  return typeof value === 'string' ? decodeHTMLStrict(value) : value;
}

/**
 * HTML whose source encoded it once more, as publishers do within JSON-LD, with its entities decoded
 * once. A text that already holds tags was not encoded: its entities are part of the HTML.
 */
export function decodeHtml(value: unknown): unknown {
  return typeof value === 'string' && !TAG.test(value) ? decodeHTMLStrict(value) : value;
}
