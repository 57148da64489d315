/** Ids in order: each call gives the next number. */
export function sequence(start = 1): () => number {
  let next = start;
  return () => next++;
}

/** Random numbers in [0, 1) that repeat for a seed (mulberry32). Not for keys. */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A `crypto.randomBytes` that repeats for a seed. Not for keys. */
export function seededBytes(seed: number): (length: number) => Buffer {
  const random = seededRandom(seed);
  return (length) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

export type Random = ReturnType<typeof randomFrom>;

/** Random choices that repeat for a seed. */
export function randomFrom(seed: number) {
  const next = seededRandom(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    /** A whole number from 0, less than the limit. */
    below,
    pick: <T>(items: readonly T[]): T => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('cannot pick from an empty list');
      return item;
    },
  };
}
