const QUOTE = '"';

type Token = string | number;

/** How many names the objects of a parsed value have, all together. The value is nested as deep as a body may be. */
export function countNames(value: object): number {
  const entries: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : entries.length;
  for (const entry of entries) if (typeof entry === 'object' && entry !== null) count += countNames(entry);
  return count;
}

/** An object or a list while it is read: the name or index that what comes next belongs to. */
interface Open {
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
  const open: Open[] = [];
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
      case QUOTE: {
        const end = endOfString(json, at + 1);
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
function endOfString(json: string, from: number): number {
  let at = from;
  while (json[at] !== QUOTE) at += json[at] === '\\' ? 2 : 1;
  return at;
}

/** JSON's white space alone (RFC 8259, section 2). */
function afterSpace(json: string, from: number): number {
  let at = from;
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\r' || json[at] === '\t') at++;
  return at;
}
