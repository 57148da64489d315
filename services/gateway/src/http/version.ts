import { ServiceError } from '@joblisting/contracts';
import type { FastifyInstance } from 'fastify';

/**
 * Refuses what node takes for HTTP/0.9 and hangs up: a line that says no version has no headers and no end, so what
 * follows it may be anything (RFC 9112, appendix C.1). Before all that can answer at once.
 */
export function refuseNoVersion(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (request.raw.httpVersionMajor > 0) return done();
    reply.header('Connection', 'close');
    return done(new ServiceError('bad_request', 'This is not valid HTTP/1.1.'));
  });
}
