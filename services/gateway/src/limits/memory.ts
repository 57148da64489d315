import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { overloaded } from '@joblisting/contracts';
import { counts } from '@joblisting/service-kit/http';
import { type Client, consumerConcurrency } from './client.ts';

/** The request that holds bytes, and its client. */
export interface Holder {
  readonly response: ServerResponse;
  readonly client: Client;
}

/** Bounds the bytes held for clients: bodies on their way in, bodies that are worked on, answers that are not read yet. */
export interface MemoryLimiter {
  /** These bytes are held until the client has sent the rest of its body, or has read its answer. */
  readonly holdForClient: (holder: Holder, bytes: number) => void;
  /** These bytes are held while the request is worked on; 0 releases them. */
  readonly holdForWork: (holder: Holder, bytes: number) => void;
  /**
   * Throws `overloaded` where a request of this size may not be accepted: past three quarters of the limit only small
   * ones may. Throws `consumer_concurrency` for a client that holds a quarter of the limit: for a large one, and past
   * half of the limit for every one.
   */
  readonly requireRoomFor: (client: Client, bytes: number) => void;
  readonly total: () => number;
}

interface Entry {
  readonly client: Client;
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
/** From here on a client's large bodies are refused, and it is among the first that are cut off. */
const SHARE_OF_ONE_CLIENT = 1 / 4;
const CUT_OFF_FROM = 1 / 2;
const SMALL_ONLY_FROM = 3 / 4;

/**
 * From half of the limit on, clients that have kept the gateway waiting are cut off: first those that hold a quarter of
 * it, then the longest first. A connection that piles up answers is cut off at once.
 * @param monotonic milliseconds that only ever go forward
 */
export function memoryLimiter(limit: number, monotonic: () => number): MemoryLimiter {
  const entries = new Map<ServerResponse, Entry>();
  const byClient = counts<Client>();
  const connections = new WeakMap<Socket, { bytes: number; answers: number }>();
  let total = 0;
  let checkedAt = -Infinity;

  const holdsShare = (client: Client): boolean => byClient.get(client) > limit * SHARE_OF_ONE_CLIENT;

  const add = ({ response: { req }, client }: Holder, bytes: number, answers: number): void => {
    const share = connections.get(req.socket) ?? { bytes: 0, answers: 0 };
    if (share.answers === 0) connections.set(req.socket, share);
    share.bytes += bytes;
    share.answers += answers;
    byClient.add(client, bytes);
    total += bytes;
  };

  const release = (response: ServerResponse): void => {
    const entry = entries.get(response);
    if (!entry) return;
    entries.delete(response);
    add({ response, client: entry.client }, -entry.bytes, -1);
  };

  const set = ({ response, client }: Holder, held: Omit<Entry, 'client'>): void => {
    // The response is closed already, so no event would release the bytes.
    if (response.closed || response.destroyed) return;
    const before = entries.get(response);
    const entry = { client: before?.client ?? client, ...held };
    entries.set(response, entry);
    if (!before) response.once('close', () => release(response));
    add({ response, client: entry.client }, entry.bytes - (before?.bytes ?? 0), before ? 0 : 1);
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
      .map(([response, { client, waitingSince = Infinity }]) => ({ response, client, waitingSince }))
      .filter(({ waitingSince }) => waitingSince < now - PATIENCE_MS)
      .toSorted(
        (one, other) =>
          Number(holdsShare(other.client)) - Number(holdsShare(one.client)) ||
          one.waitingSince - other.waitingSince,
      );
    for (const { response } of slow) {
      if (total <= limit * CUT_OFF_FROM) return;
      cutOff(response);
    }
  };

  return {
    holdForClient: (holder, bytes) => {
      const { response } = holder;
      set(holder, { bytes, waitingSince: entries.get(response)?.waitingSince ?? monotonic() });
      const share = connections.get(response.req.socket);
      if (share && share.answers > 1 && share.bytes > limit * SHARE_OF_ONE_CONNECTION) cutOff(response);
      if (total > limit * CUT_OFF_FROM) cutOffSlowest();
    },
    holdForWork: (holder, bytes) => {
      if (bytes > 0) set(holder, { bytes, waitingSince: undefined });
      else release(holder.response);
    },
    total: () => total,
    requireRoomFor: (client, bytes) => {
      const isLarge = bytes > LARGE_BYTES;
      if (total > limit) throw overloaded('gateway_memory');
      if (holdsShare(client) && (isLarge || total > limit * CUT_OFF_FROM)) throw consumerConcurrency;
      if (isLarge && total > limit * SMALL_ONLY_FROM) throw overloaded('gateway_memory');
    },
  };
}

/** What a payload takes in memory: text may take two bytes for each character. */
export function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return 2 * payload.length;
  if (payload instanceof Uint8Array) return payload.length;
  return typeof payload === 'object' && payload !== null ? STREAM_BYTES : 0;
}
