import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bounds the bytes held for clients: bodies on their way in, bodies that are worked on, answers that are not read yet.
 * Each request is known by its response.
 */
export interface MemoryLimiter {
  /** These bytes are held until the client has sent the rest of its body, or has read its answer. */
  readonly holdForClient: (response: ServerResponse, bytes: number) => void;
  /** These bytes are held while the request is worked on; 0 releases them. */
  readonly holdForWork: (response: ServerResponse, bytes: number) => void;
  /** Whether a request of this size may be accepted. Past half of the limit only small ones may. */
  readonly hasRoomFor: (bytes: number) => boolean;
  readonly total: () => number;
}

interface Entry {
  readonly bytes: number;
  /** On the monotonic clock; undefined while the gateway, not the client, is working. */
  readonly waitingSince: number | undefined;
}

/** Clients that have kept the gateway waiting for longer may be cut off when memory is short. */
const PATIENCE_MS = 1000;
/** Sorting all entries is costly: a flood of chunks must not cause it each time. */
const CHECK_EVERY_MS = 100;
const LARGE_BYTES = 64 * 1024;
/** What node buffers of a stream for a client that does not read. */
const STREAM_BYTES = 128 * 1024;
/** The part of the limit that one connection may hold in several answers. */
const SHARE_OF_ONE_CONNECTION = 1 / 8;

/**
 * From half of the limit on, large bodies are refused, and clients that have kept the gateway waiting are cut off,
 * the longest first. A connection that piles up answers is cut off at once.
 * @param monotonic milliseconds that only ever go forward
 */
export function memoryLimiter(limit: number, monotonic: () => number): MemoryLimiter {
  const entries = new Map<ServerResponse, Entry>();
  const connections = new WeakMap<Socket, { bytes: number; answers: number }>();
  let total = 0;
  let checkedAt = -Infinity;

  const add = ({ req }: ServerResponse, bytes: number, answers: number): void => {
    const share = connections.get(req.socket) ?? { bytes: 0, answers: 0 };
    if (share.answers === 0) connections.set(req.socket, share);
    share.bytes += bytes;
    share.answers += answers;
    total += bytes;
  };

  const release = (response: ServerResponse): void => {
    const entry = entries.get(response);
    if (!entry) return;
    entries.delete(response);
    add(response, -entry.bytes, -1);
  };

  const set = (response: ServerResponse, entry: Entry): void => {
    // The client has left, and its response does not close again.
    if (response.closed || response.destroyed) return;
    const before = entries.get(response);
    entries.set(response, entry);
    if (!before) response.once('close', () => release(response));
    add(response, entry.bytes - (before?.bytes ?? 0), before ? 0 : 1);
  };

  const cutOff = (response: ServerResponse): void => {
    release(response);
    // An answer that waits behind another one on its connection has no socket of its own to end.
    response.req.socket.destroy();
  };

  const cutOffSlowest = (): void => {
    const now = monotonic();
    if (now - checkedAt < CHECK_EVERY_MS) return;
    checkedAt = now;
    const slow = [...entries]
      .map(([response, { waitingSince = Infinity }]) => ({ response, waitingSince }))
      .filter(({ waitingSince }) => waitingSince < now - PATIENCE_MS)
      .toSorted((one, other) => one.waitingSince - other.waitingSince);
    for (const { response } of slow) {
      if (total <= limit / 2) return;
      cutOff(response);
    }
  };

  return {
    holdForClient: (response, bytes) => {
      set(response, { bytes, waitingSince: entries.get(response)?.waitingSince ?? monotonic() });
      const share = connections.get(response.req.socket);
      if (share && share.answers > 1 && share.bytes > limit * SHARE_OF_ONE_CONNECTION) cutOff(response);
      if (total > limit / 2) cutOffSlowest();
    },
    holdForWork: (response, bytes) => {
      if (bytes > 0) set(response, { bytes, waitingSince: undefined });
      else release(response);
    },
    total: () => total,
    hasRoomFor: (bytes) => total <= (bytes > LARGE_BYTES ? limit / 2 : limit),
  };
}

/** What a payload takes in memory: text may take two bytes for each character. */
export function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return 2 * payload.length;
  if (payload instanceof Uint8Array) return payload.length;
  return typeof payload === 'object' && payload !== null ? STREAM_BYTES : 0;
}
