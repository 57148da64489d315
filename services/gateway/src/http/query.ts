/** One `name=value` of a query; `value` is undefined where its percent-encoding is malformed. */
export interface QueryEntry {
  readonly name: string;
  readonly value: string | undefined;
}

const ENCODED = /[%+]/;

/** Parses a query; order and repeated names are kept. */
export function parseQuery(query: string): QueryEntry[] {
  const entries: QueryEntry[] = [];
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const at = piece.indexOf('=');
    const name = at < 0 ? piece : piece.slice(0, at);
    const value = at < 0 ? '' : piece.slice(at + 1);
    const decodedName = decode(name);
    entries.push({
      name: decodedName ?? name,
      value: decodedName === undefined ? undefined : decode(value),
    });
  }
  return entries;
}

/** Formats a query. A value that could not be decoded is left out. */
export function formatQuery(entries: readonly QueryEntry[]): string {
  return entries
    .flatMap(({ name, value }) => (value === undefined ? [] : [`${encode(name)}=${encode(value)}`]))
    .join('&');
}

function decode(text: string): string | undefined {
  if (!ENCODED.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed());
