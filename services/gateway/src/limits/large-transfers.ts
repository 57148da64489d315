import { LRUCache } from 'lru-cache';

/** So many bytes weigh as much as one more request. */
export const LARGE_BYTES = 256 * 1024;
/** The limits of requests cover smaller bodies and answers. */
const COUNTED_BYTES = 64 * 1024;
/** The rate of one client for larger bodies and answers. Each megabyte costs a service about 20 ms. */
const BYTES_PER_SECOND = 16 * 1024 * 1024;
/** How far ahead of its rate a client may be to start a large request, or another one, which may turn out large. */
const AHEAD_SECONDS = { large: 0.25, other: 1 };
/** Bounds the tracked clients; the least recently active one is dropped. */
const CLIENTS = 20_000;

interface Debt {
  readonly bytes: number;
  readonly at: number;
}

/**
 * Bounds the rate of each client for large bodies and answers. A client that is ahead of its rate has to wait.
 * @param monotonic milliseconds that only ever go forward
 */
export function largeTransfers<Client extends number | string>(monotonic: () => number) {
  const debts = new LRUCache<Client, Debt>({ max: CLIENTS });

  const debtOf = (client: Client): number => {
    const debt = debts.get(client);
    return debt ? Math.max(0, debt.bytes - ((monotonic() - debt.at) / 1000) * BYTES_PER_SECOND) : 0;
  };

  return {
    mayStart: (client: Client, isLarge: boolean): boolean =>
      debtOf(client) < AHEAD_SECONDS[isLarge ? 'large' : 'other'] * BYTES_PER_SECOND,
    /** Counts a body or an answer, if it is not small. */
    add: (client: Client, bytes: number): void => {
      if (bytes >= COUNTED_BYTES) debts.set(client, { bytes: debtOf(client) + bytes, at: monotonic() });
    },
  };
}
