/** What is read of a cursor. */
export interface Cursor<T> {
  readonly next: () => Promise<T | null>;
  /** Takes up to so many of those that are here already. */
  readonly readBufferedDocuments: (most: number) => T[];
  readonly close: () => Promise<void>;
}

/**
 * The next ones of a cursor: at least one, unless it has come to its end, and as many more as are here already, `most` in
 * all. Fewer than that are followed by its end, or by a way to the database. Worth: to wait for each of them costs 2 µs
 * of the 24 that a job takes in a read of eight.
 */
export async function handful<T>(cursor: Cursor<T>, most: number): Promise<T[]> {
  const first = await cursor.next();
  return first === null ? [] : [first, ...cursor.readBufferedDocuments(most - 1)];
}

/** What `take` takes of a cursor, until that is nothing. The cursor is closed then, and where nobody wants the rest. */
export async function* untilTheEnd<T>(cursor: Cursor<T>, take: () => Promise<T[]>): AsyncGenerator<T[]> {
  try {
    for (let taken = await take(); taken.length > 0; taken = await take()) yield taken;
  } finally {
    await cursor.close();
  }
}

/** Documents may be large, and are decoded when they are taken: few are held at once. */
const MOST = 8;

/** What the cursor finds, a few at a time. */
export const handfuls = <T>(cursor: Cursor<T>): AsyncGenerator<T[]> =>
  untilTheEnd(cursor, () => handful(cursor, MOST));

/** What is here already, by handfuls. */
export function* inHandfuls<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += MOST) yield items.slice(at, at + MOST);
}
