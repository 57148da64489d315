import { overloaded } from '@joblisting/contracts';
import type { FastifyInstance } from 'fastify';
import { adaptLimit } from './adaptive-limit.ts';
import type { Buffers } from './buffers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The service that the request waits for. */
    owner?: string;
    /** Every answer is made of the same bytes: one more costs no memory. */
    isShared?: boolean;
  }
}

export interface Places {
  /** Whether a request that waits for this service would get a place now. Asked only for one that is there. */
  readonly areFree: (owner: string | undefined) => boolean;
  readonly inFlight: () => number;
  /** The most that may wait for one service, at the moment. */
  readonly ofOneService: () => number;
}

/** One service that is stuck must not take the places of requests to the others. */
const SHARE_OF_ONE_SERVICE = 0.75;

/**
 * Bounds the requests that are worked on at once. What is over the bound is refused at once: an unbounded queue
 * turns overload into time-outs (promise 6 of the architecture). One service has at most three quarters of the places,
 * and fewer while the gateway itself is late. A client that is still sending its body, or
 * still reading its answer, is not worked for: it costs memory alone, which `buffers` bounds.
 */
export function boundInFlight(server: FastifyInstance, limit: number, buffers: Buffers): Places {
  const ofOneService = adaptLimit(Math.ceil(limit * SHARE_OF_ONE_SERVICE));
  const underWay = new Map<string, number>();
  let inFlight = 0;

  const ofOwner = (owner: string | undefined): number =>
    owner === undefined ? 0 : (underWay.get(owner) ?? 0);
  const count = (owner: string | undefined, by: number): void => {
    inFlight += by;
    if (owner !== undefined) underWay.set(owner, ofOwner(owner) + by);
  };

  const areFree = (owner: string | undefined): boolean => {
    const isBelow = ofOwner(owner) < ofOneService.current();
    if (!isBelow) ofOneService.exceeded();
    return isBelow && inFlight < limit && buffers.haveRoomFor(0);
  };

  server.addHook('onClose', async () => ofOneService.stop());
  server.addHook('onRequest', ({ call, routeOptions }, _reply, done) => {
    const { quiet, owner } = routeOptions.config;
    if (quiet) return done();
    const take = () => {
      count(owner, 1);
      call.leave = () => {
        call.leave = () => undefined;
        count(owner, -1);
      };
    };
    call.enter = () => {
      if (!areFree(owner)) throw overloaded();
      take();
    };
    if (!areFree(owner)) return done(overloaded());
    take();
    return done();
  });
  // Comes for clients that have left as well, and not before the work for them is over.
  server.addHook('onSend', (request, reply, payload, done) => {
    request.call.leave();
    const isOwn = payload instanceof Uint8Array && !request.routeOptions.config.isShared;
    if (isOwn) buffers.awaitClient(reply.raw, payload.length);
    else buffers.work(reply.raw, 0);
    done(null, payload);
  });
  return { areFree, inFlight: () => inFlight, ofOneService: ofOneService.current };
}
