import { LISTED_AT_MOST, ServiceError, type Violation } from '@joblisting/contracts';
import { pointerTo } from './violations.ts';

/** The deepest nesting of a body (API decisions, "Bodies"). The body itself is level 1. */
export const MAX_DEPTH = 32;

/**
 * The most objects, lists and names in a body: ten times what the largest batch of events has. A few megabytes of
 * nothing else would block the event loop for most of a second.
 */
export const MAX_PARTS = 60_000;

const decoder = new TextDecoder('utf-8', { fatal: true });
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

export interface JsonReading {
  /** Its name in errors. */
  readonly name?: string;
  /** Its path in the body that pointers refer to. */
  readonly path?: JsonPath;
}

/**
 * Reads a body: one JSON object in UTF-8, nested at most 32 deep, without duplicate keys.
 * Throws `malformed_json` for anything else.
 */
export const parseJsonObject = (bytes: Uint8Array): Record<string, unknown> =>
  requireObject(parseJson(bytes));

/** Throws `malformed_json` unless the value of a body is an object. */
export function requireObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ServiceError('malformed_json', 'The body must be one JSON object.');
  }
  return value as Record<string, unknown>;
}

/** Any JSON value, under the same limits. */
export function parseJson(bytes: Uint8Array, { name = 'The body', path = [] }: JsonReading = {}): unknown {
  const { value, repeated } = readJson(bytes, name, LISTED_AT_MOST);
  if (repeated.length > 0)
    throw repeatedNamesError(
      name,
      repeated.map((at) => path.concat(at)),
    );
  return value;
}

export type JsonPath = readonly (string | number)[];

/**
 * As `parseJson`, but of two equal names in an object the last one counts, and `repeated` has their paths.
 * @param limit the most paths
 */
export function readJson(
  bytes: Uint8Array,
  name = 'The body',
  limit = MAX_PARTS,
): { value: unknown; repeated: readonly JsonPath[] } {
  const refusal = (problem: string, cause?: unknown) =>
    new ServiceError('malformed_json', `${name} ${problem}`, { cause });
  if (bytes.length === 0) throw refusal('is empty; a JSON object is needed.');
  // Before parsing: serialising a deep value again would overflow the stack.
  const { depth, parts, names } = outlineOf(bytes);
  if (depth > MAX_DEPTH) throw refusal(`is nested more than ${MAX_DEPTH} levels deep.`);
  if (parts > MAX_PARTS) throw refusal(`has more than ${MAX_PARTS} objects, lists and names.`);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (cause) {
    throw refusal('is not valid UTF-8.', cause);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refusal(`is not valid JSON: ${plainReason(cause)}`, cause);
  }
  // JSON.parse keeps the last of two equal names, other parsers the first (RFC 8259, section 4).
  const hasRepeated = names > 0 && countNames(value as object) < names;
  return { value, repeated: hasRepeated ? repeatedNames(text, limit) : [] };
}

/** `malformed_json` for names that an object has more than once. */
export const repeatedNamesError = (name: string, paths: readonly JsonPath[]): ServiceError =>
  new ServiceError('malformed_json', `${name} has duplicate keys; see "errors".`, {
    errors: paths.map(repeated),
  });

const repeated = (path: JsonPath): Violation => ({
  pointer: pointerTo(...path.map((token) => (typeof token === 'string' ? token.slice(0, 200) : token))),
  code: 'repeated',
  detail: 'This key is a duplicate.',
});

/** The parser's words without the excerpt of the body that some of them carry. */
function plainReason(cause: unknown): string {
  const message = Error.isError(cause) ? cause.message : 'it cannot be parsed';
  return `${message.replace(/,? ?"[\s\S]*" is not valid JSON$/, '').replace(/^Unexpected token.*?,? *$/, 'unexpected token')}.`;
}

/** Counts without parsing. `names` is right only in valid JSON. */
function outlineOf(bytes: Uint8Array): { depth: number; parts: number; names: number } {
  let open = 0;
  let depth = 0;
  let parts = 0;
  let names = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at + 1);
    else if (byte === COLON) names++;
    else if (byte === 0x7b || byte === 0x5b) {
      parts++;
      depth = Math.max(depth, ++open);
    } else if (byte === 0x7d || byte === 0x5d) open--;
  }
  return { depth, parts: parts + names, names };
}

function endOfString(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

type Token = string | number;

/** How many names the objects of a parsed value have, all together. Recursive: `MAX_DEPTH` bounds it. */
function countNames(value: object): number {
  const entries: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : entries.length;
  for (const entry of entries) if (typeof entry === 'object' && entry !== null) count += countNames(entry);
  return count;
}

/** An object or a list while it is read, with the current name or index. */
interface Level {
  at: Token;
  /** The names so far, each with whether it was found repeated; undefined in a list. */
  readonly names: Map<string, boolean> | undefined;
}

/**
 * The paths of the names that an object has more than once, however they are spelled, each object's names once.
 * `json` is valid JSON. Takes linear time.
 * @param limit the most paths
 */
export function repeatedNames(json: string, limit: number): Token[][] {
  const found: Token[][] = [];
  const open: Level[] = [];
  for (let at = 0; at < json.length && found.length < limit; at++) {
    const inner = open.at(-1);
    switch (json[at]) {
      case '{':
        open.push({ at: '', names: new Map() });
        break;
      case '[':
        open.push({ at: 0, names: undefined });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (inner && !inner.names) inner.at = Number(inner.at) + 1;
        break;
      case '"': {
        const end = endOfText(json, at + 1);
        const colon = afterSpace(json, end + 1);
        if (inner?.names && json[colon] === ':') {
          inner.at = JSON.parse(json.slice(at, end + 1)) as string;
          const isFound = inner.names.get(inner.at);
          if (isFound === false) found.push(open.map((level) => level.at));
          inner.names.set(inner.at, isFound !== undefined);
        }
        at = end;
        break;
      }
    }
  }
  return found;
}

/** Where the string that begins at `from` has its closing quote. */
function endOfText(json: string, from: number): number {
  let at = from;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

/** JSON's white space alone (RFC 8259, section 2). */
function afterSpace(json: string, from: number): number {
  let at = from;
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at++;
  return at;
}
