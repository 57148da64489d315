import { ServiceError } from '@joblisting/contracts';
import type { FastifyInstance } from 'fastify';

/**
 * Refuses a request with two Host headers and hangs up (RFC 9112, section 3.2): two machines on its way may have
 * taken it for requests to two places. Needs node to join headers that are there twice.
 */
export function refuseTwoHosts(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.raw.headers.host?.includes(',')) return done();
    reply.header('Connection', 'close');
    return done(new ServiceError('bad_request', 'A request names one host.'));
  });
}
