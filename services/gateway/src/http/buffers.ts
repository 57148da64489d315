import type { ServerResponse } from 'node:http';

/**
 * The bytes that the gateway keeps for its clients: bodies on their way in, bodies that are worked on, answers that
 * are not read yet. Each request is known by its response.
 */
export interface Buffers {
  /** So many bytes are kept until the client has sent the rest, or has read them. */
  readonly awaitClient: (response: ServerResponse, bytes: number) => void;
  /** So many bytes are kept until the answer is there. */
  readonly work: (response: ServerResponse, bytes: number) => void;
  /** True where no more may be kept. */
  readonly areFull: () => boolean;
}

interface Held {
  bytes: number;
  /** On the monotonic clock; undefined where the client is not what is waited for. */
  waitingSince: number | undefined;
}

/** Whoever is waited for longer may be cut off when memory is short. */
const PATIENCE_MS = 1000;
/** Looking for the slowest costs a walk over all: a flood of chunks must not make it cost much. */
const LOOK_EVERY_MS = 100;

/**
 * Bounds what is kept. Past the limit, clients that have kept the gateway waiting are cut off, the longest first;
 * where that does not help, the caller has to refuse.
 * @param monotonic milliseconds that only ever go forward
 */
export function boundBuffers(limit: number, monotonic: () => number): Buffers {
  const held = new Map<ServerResponse, Held>();
  let total = 0;
  let lookedAt = -Infinity;

  const forget = (response: ServerResponse): void => {
    total -= held.get(response)?.bytes ?? 0;
    held.delete(response);
  };

  const hold = (response: ServerResponse, bytes: number): Held => {
    const known = held.get(response);
    if (known) {
      total += bytes - known.bytes;
      known.bytes = bytes;
      return known;
    }
    const fresh: Held = { bytes, waitingSince: undefined };
    held.set(response, fresh);
    total += bytes;
    response.once('close', () => forget(response));
    return fresh;
  };

  const cutOffSlowest = (): void => {
    const now = monotonic();
    if (now - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = now;
    const before = now - PATIENCE_MS;
    const slow = [...held]
      .filter(([, { waitingSince = Infinity }]) => waitingSince < before)
      .toSorted(([, one], [, other]) => (one.waitingSince ?? 0) - (other.waitingSince ?? 0));
    for (const [response] of slow) {
      if (total <= limit) return;
      forget(response);
      // Of answers that wait for their turn on a connection, the response itself has none to end.
      response.req.socket.destroy();
    }
  };

  return {
    awaitClient: (response, bytes) => {
      const holding = hold(response, bytes);
      holding.waitingSince ??= monotonic();
      if (total > limit) cutOffSlowest();
    },
    work: (response, bytes) => {
      hold(response, bytes).waitingSince = undefined;
    },
    areFull: () => total > limit,
  };
}
