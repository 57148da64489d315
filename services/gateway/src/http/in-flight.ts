import { ServiceError } from '@joblisting/contracts';
import type { FastifyInstance } from 'fastify';

/** Refuses at once what is over the bound: an unbounded queue turns overload into time-outs (promise 6 of the architecture). */
export function boundInFlight(server: FastifyInstance, limit: number): void {
  let inFlight = 0;
  server.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.quiet) return;
    if (inFlight >= limit) throw new ServiceError('overloaded', undefined, { retryAfterSeconds: 1 });
    inFlight++;
    request.call.leave = () => {
      request.call.leave = () => undefined;
      inFlight--;
    };
    // Comes once for every answer, and for every client that left before it.
    reply.raw.once('close', () => request.call.leave());
  });
}
