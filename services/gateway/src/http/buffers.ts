import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The bytes that the gateway keeps for its clients: bodies on their way in, bodies that are worked on, answers that
 * are not read yet. Each request is known by its response.
 */
export interface Buffers {
  /** So many bytes are kept until the client has sent the rest, or has read them. */
  readonly awaitClient: (response: ServerResponse, bytes: number) => void;
  /** So many bytes are kept until the answer is there; 0: nothing any more. */
  readonly work: (response: ServerResponse, bytes: number) => void;
  /** Whether a request of this size may be taken in. Small ones still may where large ones may not. */
  readonly haveRoomFor: (bytes: number) => boolean;
  readonly total: () => number;
}

interface Held {
  readonly bytes: number;
  /** On the monotonic clock; undefined where the client is not what is waited for. */
  readonly waitingSince: number | undefined;
}

const HELD = Symbol('held');
const SHARE = Symbol('share');

/** They carry what is held for them. */
type Holder = ServerResponse & { [HELD]?: Held | undefined };
type Sharer = Socket & { [SHARE]?: { bytes: number; answers: number } };

/** Whoever is waited for longer may be cut off when memory is short. */
const PATIENCE_MS = 1000;
/** Looking for the slowest costs a walk over all: a flood of chunks must not make it cost much. */
const LOOK_EVERY_MS = 100;
const LARGE_BYTES = 64 * 1024;
/** The part of all that one connection may keep in several answers. */
const SHARE_OF_ONE_CONNECTION = 1 / 8;

/**
 * Bounds what is kept. From half of the limit on no large body is taken in, and clients that have kept the gateway
 * waiting are cut off, the longest first. A connection that piles up answers is cut off at once.
 * @param monotonic milliseconds that only ever go forward
 */
export function boundBuffers(limit: number, monotonic: () => number): Buffers {
  const all = new Set<Holder>();
  let total = 0;
  let lookedAt = -Infinity;

  const count = ({ req }: Holder, bytes: number, answers: number): void => {
    const share = ((req.socket as Sharer)[SHARE] ??= { bytes: 0, answers: 0 });
    share.bytes += bytes;
    share.answers += answers;
    total += bytes;
  };

  const forget = (response: Holder): void => {
    const known = response[HELD];
    if (!known) return;
    response[HELD] = undefined;
    all.delete(response);
    count(response, -known.bytes, -1);
  };

  const set = (response: Holder, now: Held): void => {
    // An answer to a client that has left goes nowhere, and its response does not close again.
    if (response.closed || response.destroyed) return;
    const before = response[HELD];
    response[HELD] = now;
    if (!before) {
      all.add(response);
      response.once('close', () => forget(response));
    }
    count(response, now.bytes - (before?.bytes ?? 0), before ? 0 : 1);
  };

  const cutOff = (response: ServerResponse): void => {
    forget(response);
    // Of answers that wait for their turn on a connection, the response itself has none to end.
    response.req.socket.destroy();
  };

  const cutOffSlowest = (): void => {
    const now = monotonic();
    if (now - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = now;
    const since = (response: Holder): number => response[HELD]?.waitingSince ?? Infinity;
    const slow = [...all]
      .filter((response) => since(response) < now - PATIENCE_MS)
      .toSorted((one, other) => since(one) - since(other));
    for (const response of slow) {
      if (total <= limit / 2) return;
      cutOff(response);
    }
  };

  return {
    awaitClient: (response: Holder, bytes) => {
      set(response, { bytes, waitingSince: response[HELD]?.waitingSince ?? monotonic() });
      const { bytes: own = 0, answers = 0 } = (response.req.socket as Sharer)[SHARE] ?? {};
      if (answers > 1 && own > limit * SHARE_OF_ONE_CONNECTION) cutOff(response);
      if (total > limit / 2) cutOffSlowest();
    },
    work: (response, bytes) => {
      if (bytes > 0) set(response, { bytes, waitingSince: undefined });
      else forget(response);
    },
    total: () => total,
    haveRoomFor: (bytes) => total <= (bytes > LARGE_BYTES ? limit / 2 : limit),
  };
}

/** What a payload takes in memory: text may take two bytes for each character. */
export function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return 2 * payload.length;
  return payload instanceof Uint8Array ? payload.length : 0;
}
