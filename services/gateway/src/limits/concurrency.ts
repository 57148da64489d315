import { overloaded } from '@joblisting/contracts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { counts } from '@joblisting/service-kit/http';
import { announcedLength, isChunked } from '../http/body.ts';
import { type Client, clientOf, consumerConcurrency } from './client.ts';
import { LARGE_BYTES, largeTransfers } from './large-transfers.ts';
import { bytesOf, type MemoryLimiter } from './memory.ts';
import type { RefusalPause } from './refusal-pause.ts';
import { weigher } from './weight.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The service that the request waits for. */
    owner?: string;
    /** The most bytes of a body, where it differs from the server's. */
    bodyLimit?: number;
    /** All answers share the same bytes, so one more costs no memory. */
    isShared?: boolean;
  }
}

/** A stuck service must not take the places of requests to the others. */
const SHARE_OF_ONE_SERVICE = 0.75;
const SHARE_OF_ONE_CLIENT = 0.25;
const FREE_FOR_ALL = 0.5;

/** The properties of a request that count against the limits. */
export interface Load {
  /** The service that it waits for. */
  readonly owner: string | undefined;
  readonly client: Client;
  readonly weight: number;
}

export interface ConcurrencyLimiter {
  /**
   * Returns a function that releases the places. Throws `overloaded` where all are taken, and `consumer_concurrency`
   * where the client holds its share. The last request may take more places than are left: otherwise a heavy one would
   * starve.
   */
  readonly acquire: (load: Load) => () => void;
  readonly isFull: (owner: string | undefined) => boolean;
  readonly inFlight: () => number;
  readonly limitOfOneService: number;
}

/**
 * Bounds the requests in flight in total and for each service, and shares both out among clients. There is no queue: it
 * would turn overload into time-outs.
 */
export function concurrencyLimiter(limit: number): ConcurrencyLimiter {
  const limitOfOneService = Math.ceil(limit * SHARE_OF_ONE_SERVICE);
  const total = pool(limit);
  const byOwner = new Map<string, Pool>();

  const poolsOf = (owner: string | undefined): readonly Pool[] => {
    if (owner === undefined) return [total];
    const own = byOwner.get(owner) ?? pool(limitOfOneService);
    byOwner.set(owner, own);
    return [total, own];
  };

  return {
    isFull: (owner) => poolsOf(owner).some((each) => each.isFull()),
    acquire: ({ owner, client, weight }) => {
      const pools = poolsOf(owner);
      if (pools.some((each) => each.isFull())) throw overloaded('gateway_concurrency');
      if (pools.some((each) => !each.hasShareFor(client))) throw consumerConcurrency;
      for (const each of pools) each.add(client, weight);
      let isHeld = true;
      return () => {
        if (isHeld) for (const each of pools) each.add(client, -weight);
        isHeld = false;
      };
    },
    inFlight: total.inFlight,
    limitOfOneService,
  };
}

type Pool = ReturnType<typeof pool>;

/** Places that clients share. */
function pool(size: number) {
  const byClient = counts<Client>();
  let inFlight = 0;
  return {
    inFlight: () => inFlight,
    isFull: () => inFlight >= size,
    /** The first half of the places goes to any client, the rest to clients that hold less than a quarter of all. */
    hasShareFor: (client: Client) =>
      byClient.get(client) < size * SHARE_OF_ONE_CLIENT || inFlight < size * FREE_FOR_ALL,
    add: (client: Client, by: number): void => {
      inFlight += by;
      byClient.add(client, by);
    },
  };
}

export interface RequestLimits {
  readonly memory: MemoryLimiter;
  readonly pause: RefusalPause;
  /** Of routes without their own. A larger announced body is refused before it is read. */
  readonly bodyLimit: number;
  /** Milliseconds that only ever go forward. */
  readonly monotonic: () => number;
}

/**
 * Refuses requests over the limits once their keys are known. A client that is still sending its body or reading its
 * answer holds no place: it uses only memory, which `memory` bounds.
 */
export function limitRequests(
  server: FastifyInstance,
  concurrency: ConcurrencyLimiter,
  { memory, pause, bodyLimit, monotonic }: RequestLimits,
): void {
  const weights = weigher();
  const transfers = largeTransfers<Client>(monotonic);
  // Runs after every onRequest hook, so after authentication. A request without a route costs no work.
  server.addHook('preHandler', async (request) => {
    const { state, routeOptions, is404 } = request;
    const { quiet, owner, bodyLimit: limit = bodyLimit } = routeOptions.config;
    if (quiet || is404) return;
    const client = clientOf(request);
    let countedBytes = 0;
    const acquire = (bodyBytes: number, weight: number): void => {
      memory.requireRoomFor(client, 0);
      state.release = concurrency.acquire({ owner, client, weight });
      transfers.add(client, bodyBytes - countedBytes);
      countedBytes = bodyBytes;
    };
    state.acquire = (bodyBytes) => acquire(bodyBytes, weights.of(request, bodyBytes));
    // The length of a chunked body is unknown until it was read.
    const announced = isChunked(request.raw) ? LARGE_BYTES : Math.min(announcedLength(request.raw), limit);
    const weight = weights.of(request, announced);
    const start = (): void => {
      if (!transfers.mayStart(client, weight > 1)) throw consumerConcurrency;
      acquire(announced, weight);
    };
    try {
      start();
    } catch (error) {
      if (error !== consumerConcurrency) throw error;
      // Pauses only before the body is read: waiting bodies would fill the memory.
      const waitedMs = await pause(announced, isChunked(request.raw));
      state.deadline += waitedMs;
      start();
    }
  });
  // Also runs for clients that have left, once the work for them has ended.
  server.addHook('onSend', (request, reply, payload, done) => {
    request.state.release();
    const client = clientOf(request);
    const moved = weights.remember(request, reply.statusCode, lengthOf(reply, payload));
    transfers.add(client, moved);
    const bytes = bytesOf(payload);
    const holder = { response: reply.raw, client };
    if (bytes > 0 && !request.routeOptions.config.isShared) memory.holdForClient(holder, bytes);
    else memory.holdForWork(holder, 0);
    done(null, payload);
  });
}

/** The bytes of an answer; of a stream those that its header announces. */
function lengthOf(reply: FastifyReply, payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  if (payload instanceof Uint8Array) return payload.length;
  return Number(reply.getHeader('content-length') ?? 0);
}
