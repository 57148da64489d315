import { overloaded } from '@joblisting/contracts';
import type { FastifyInstance } from 'fastify';
import { adaptLimits } from './adaptive-limit.ts';
import { type Buffers, bytesOf } from './buffers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The service that the request waits for. */
    owner?: string;
    /** Every answer is made of the same bytes: one more costs no memory. */
    isShared?: boolean;
  }
}

export interface Places {
  /** Whether a request that waits for this service gets a place now. Asked only for one that is there: a no is noted. */
  readonly admit: (owner: string | undefined) => boolean;
  /** Takes the place. What is returned gives it to the next one, once. */
  readonly take: (owner: string | undefined) => () => void;
  readonly inFlight: () => number;
  /** The most that may wait for each service that was waited for, at the moment. */
  readonly ofEach: () => ReadonlyMap<string, number>;
}

/** One service that is stuck must not take the places of requests to the others. */
const SHARE_OF_ONE_SERVICE = 0.75;

/**
 * Bounds the requests that are worked on at once. What is over the bound is refused at once: an unbounded queue
 * turns overload into time-outs (promise 6 of the architecture). One service has at most three quarters of the places,
 * and fewer while requests to it are refused and the gateway itself is late. A client that is still sending its body, or
 * still reading its answer, is not worked for: it costs memory alone, which `buffers` bounds.
 */
export function boundInFlight(server: FastifyInstance, limit: number, buffers: Buffers): Places {
  const limits = adaptLimits(Math.ceil(limit * SHARE_OF_ONE_SERVICE));
  const underWay = new Map<string, number>();
  let inFlight = 0;

  const ofOwner = (owner: string | undefined): number =>
    owner === undefined ? 0 : (underWay.get(owner) ?? 0);
  const count = (owner: string | undefined, by: number): void => {
    inFlight += by;
    if (owner !== undefined) underWay.set(owner, ofOwner(owner) + by);
  };

  const busiest = (): string | undefined =>
    [...underWay].reduce<[string?, number?]>((most, one) => (one[1] > (most[1] ?? 0) ? one : most), [])[0];

  const tellTooMany = (owner: string | undefined): void => {
    if (owner !== undefined) limits.exceeded(owner);
  };

  const admit = (owner: string | undefined): boolean => {
    const isBelow = owner === undefined || ofOwner(owner) < limits.of(owner);
    const isFree = isBelow && inFlight < limit;
    if (!isFree) tellTooMany(isBelow ? busiest() : owner);
    return isFree && buffers.haveRoomFor(0);
  };

  const take = (owner: string | undefined): (() => void) => {
    let isTaken = true;
    count(owner, 1);
    limits.waiting(inFlight);
    return () => {
      if (isTaken) count(owner, -1);
      isTaken = false;
    };
  };

  server.addHook('onClose', async () => limits.stop());
  server.addHook('onRequest', ({ call, routeOptions }, _reply, done) => {
    const { quiet, owner } = routeOptions.config;
    if (quiet) return done();
    call.enter = () => {
      if (!admit(owner)) throw overloaded('gateway_concurrency');
      call.leave = take(owner);
    };
    if (!admit(owner)) return done(overloaded('gateway_concurrency'));
    call.leave = take(owner);
    return done();
  });
  // Comes for clients that have left as well, and not before the work for them is over.
  server.addHook('onSend', (request, reply, payload, done) => {
    request.call.leave();
    const bytes = request.routeOptions.config.isShared ? 0 : bytesOf(payload);
    if (bytes > 0) buffers.awaitClient(reply.raw, bytes);
    else buffers.work(reply.raw, 0);
    done(null, payload);
  });
  const ofEach = () => new Map([...underWay.keys()].map((owner) => [owner, limits.of(owner)]));
  return { admit, take, inFlight: () => inFlight, ofEach };
}
