import { overloaded } from '@joblisting/contracts';
import type { FastifyInstance } from 'fastify';
import { bytesOf, type MemoryLimiter } from './memory.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The service that the request waits for. */
    owner?: string;
    /** Every answer is made of the same bytes: one more costs no memory. */
    isShared?: boolean;
  }
}

/** One service that is stuck must not take the places of requests to the others. */
const SHARE_OF_ONE_SERVICE = 0.75;

export interface ConcurrencyLimiter {
  /** Returns what releases the place again, or undefined where there is none. */
  readonly tryAcquire: (owner: string | undefined) => (() => void) | undefined;
  readonly isFull: (owner: string | undefined) => boolean;
  readonly inFlight: () => number;
  readonly limitOfOneService: number;
}

/** Bounds the requests in flight, in total and for each service. There is no queue: it would turn overload into time-outs. */
export function concurrencyLimiter(limit: number): ConcurrencyLimiter {
  const limitOfOneService = Math.ceil(limit * SHARE_OF_ONE_SERVICE);
  const byOwner = new Map<string, number>();
  let inFlight = 0;

  const count = (owner: string | undefined, by: 1 | -1): void => {
    inFlight += by;
    if (owner !== undefined) byOwner.set(owner, (byOwner.get(owner) ?? 0) + by);
  };

  const isFull = (owner: string | undefined): boolean => {
    const ofOwner = owner === undefined ? 0 : (byOwner.get(owner) ?? 0);
    return inFlight >= limit || ofOwner >= limitOfOneService;
  };

  return {
    isFull,
    tryAcquire: (owner) => {
      if (isFull(owner)) return undefined;
      count(owner, 1);
      let isHeld = true;
      return () => {
        if (isHeld) count(owner, -1);
        isHeld = false;
      };
    },
    inFlight: () => inFlight,
    limitOfOneService,
  };
}

/**
 * Refuses requests over the limits before anything else is done for them. A client that is still sending its body or
 * reading its answer holds no place: it costs memory alone, which `memory` bounds.
 */
export function limitRequests(
  server: FastifyInstance,
  concurrency: ConcurrencyLimiter,
  memory: MemoryLimiter,
): void {
  server.addHook('onRequest', ({ state, routeOptions }, _reply, done) => {
    const { quiet, owner } = routeOptions.config;
    if (quiet) return done();
    state.acquire = () => {
      if (!memory.hasRoomFor(0)) throw overloaded('gateway_memory');
      const release = concurrency.tryAcquire(owner);
      if (!release) throw overloaded('gateway_concurrency');
      state.release = release;
    };
    state.acquire();
    return done();
  });
  // Runs for clients that have left as well, and not before the work for them is over.
  server.addHook('onSend', ({ state, routeOptions }, reply, payload, done) => {
    state.release();
    const bytes = routeOptions.config.isShared ? 0 : bytesOf(payload);
    if (bytes > 0) memory.holdForClient(reply.raw, bytes);
    else memory.holdForWork(reply.raw, 0);
    done(null, payload);
  });
}
