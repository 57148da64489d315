import type { FastifyInstance } from 'fastify';
import { JSON_TYPE } from '../errors/accept.ts';
import { PUBLIC } from '../http/caching.ts';
import { entityTag, noneMatchHits } from '../http/etag.ts';

/** GET /openapi.json, serialised once. */
export function serveDescription(server: FastifyInstance, description: object): void {
  const bytes = Buffer.from(JSON.stringify(description));
  const tag = entityTag(0, bytes);
  server.get(
    '/openapi.json',
    { config: { operation: 'openapi', isShared: true } },
    async (request, reply) => {
      reply.headers({ ETag: tag, 'Cache-Control': PUBLIC });
      if (noneMatchHits(request.headers['if-none-match'], tag)) return reply.code(304).send();
      return reply.type(JSON_TYPE).send(bytes);
    },
  );
}
