import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(4096);
let used = pool.length;

/** So many random bytes as text, for ids. Out of a pool: a call to the system for each of them costs ten times as much. */
export function randomText(size: number, encoding: 'hex' | 'base64url'): string {
  if (used + size > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += size;
  return pool.toString(encoding, used - size, used);
}
