import { ServiceError } from '@joblisting/contracts';
import type { FastifyInstance } from 'fastify';
import type { Buffers } from './buffers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The service that the operation belongs to. */
    owner?: string;
  }
}

/** One service that is stuck must not take the places of requests to the others. */
const SHARE_OF_ONE_SERVICE = 0.75;

/**
 * Bounds the requests that are worked on at once. What is over the bound is refused at once: an unbounded queue
 * turns overload into time-outs (promise 6 of the architecture). A client that is still sending its body, or
 * still reading its answer, is not worked for: it costs memory alone, which `buffers` bounds.
 */
export function boundInFlight(server: FastifyInstance, limit: number, buffers: Buffers): void {
  const ofOneService = Math.ceil(limit * SHARE_OF_ONE_SERVICE);
  const underWay = new Map<string, number>();
  let inFlight = 0;

  server.addHook('onRequest', async (request, reply) => {
    const { quiet, owner = '' } = request.routeOptions.config;
    if (quiet) return;
    const { call } = request;
    call.enter = () => {
      const own = underWay.get(owner) ?? 0;
      if (inFlight >= limit || own >= ofOneService || buffers.areFull()) throw overloaded();
      inFlight++;
      underWay.set(owner, own + 1);
      call.leave = () => {
        call.leave = () => undefined;
        inFlight--;
        underWay.set(owner, (underWay.get(owner) ?? 0) - 1);
      };
    };
    call.enter();
    // Comes once for every answer, and for every client that left before it.
    reply.raw.once('close', () => call.leave());
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    request.call.leave();
    if (payload instanceof Uint8Array) buffers.awaitClient(reply.raw, payload.length);
    else buffers.work(reply.raw, 0);
    done(null, payload);
  });
}

/** Not executed, and nobody is waited for. */
export const overloaded = () => new ServiceError('overloaded', undefined, { retryAfterSeconds: 1 });
