import { LRUCache } from 'lru-cache';

/** What is as heavy as another request. */
export const LARGE_BYTES = 256 * 1024;
/** Bodies and answers of fewer bytes are bounded by the limits of requests. */
const COUNTED_BYTES = 64 * 1024;
/** Of larger bodies and answers of one client. Each megabyte costs a service about 20 ms. */
const BYTES_PER_SECOND = 16 * 1024 * 1024;
/** How far ahead of its rate a client may be to start what is large, and what may turn out to be. */
const AHEAD_SECONDS = { large: 0.25, other: 1 };
/** The most clients that are counted; the one that sent or got something large longest ago goes. */
const CLIENTS = 20_000;

interface Debt {
  readonly bytes: number;
  readonly at: number;
}

/**
 * Shares out what large bodies and answers cost. A client that is ahead of its rate has to wait.
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
