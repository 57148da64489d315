import { ServiceError } from '@joblisting/contracts';

/** The deepest nesting of a body (API decisions, "Bodies"). The body itself is level 1. */
export const MAX_DEPTH = 32;

const decoder = new TextDecoder('utf-8', { fatal: true });
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Reads a body: one JSON object in UTF-8, nested at most 32 deep.
 * Throws `malformed_json` for anything else.
 */
export function parseJsonObject(bytes: Uint8Array): Record<string, unknown> {
  const value = parseJson(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('malformed_json', 'The body must be one JSON object.');
  }
  return value as Record<string, unknown>;
}

/** Any JSON value, under the same limits. `name` is what the error calls it. */
export function parseJson(bytes: Uint8Array, name = 'The body'): unknown {
  if (bytes.length === 0)
    throw new ServiceError('malformed_json', `${name} is empty; a JSON object is needed.`);
  // Looked at before parsing: serialising a deep value again would overflow the stack.
  if (depthOf(bytes) > MAX_DEPTH) {
    throw new ServiceError('malformed_json', `${name} is nested more than ${MAX_DEPTH} levels deep.`);
  }
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (cause) {
    throw new ServiceError('malformed_json', `${name} is not valid UTF-8.`, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ServiceError('malformed_json', `${name} is not valid JSON: ${plainReason(cause)}`, { cause });
  }
}

/** The parser's words without the excerpt of the body that some of them carry. */
function plainReason(cause: unknown): string {
  const message = Error.isError(cause) ? cause.message : 'it cannot be parsed';
  return `${message.replace(/,? ?"[\s\S]*" is not valid JSON$/, '').replace(/^Unexpected token.*?,? *$/, 'unexpected token')}.`;
}

function depthOf(bytes: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at + 1);
    else if (byte === 0x7b || byte === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return deepest;
}

function endOfString(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
