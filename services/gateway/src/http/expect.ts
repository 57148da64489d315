import type { FastifyInstance } from 'fastify';

/**
 * Ignores an expectation that is not 100-continue, as a server may (RFC 9110, section 10.1.1). Node would answer
 * 417 by itself, without a word.
 */
export function ignoreExpectations(server: FastifyInstance): void {
  server.server.on('checkExpectation', (request, response) => {
    server.server.emit('request', request, response);
  });
}
