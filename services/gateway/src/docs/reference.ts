import swagger, { type StaticDocumentSpec } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Addresses } from '../addresses.ts';
import { entityTag, noneMatchHits } from '../http/etag.ts';
import { JSON_TYPE, PUBLIC } from '../http/headers.ts';

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

/** GET /docs: a page to read and try the API, all of it from this package, so that it works offline. */
export async function serveReference(
  server: FastifyInstance,
  description: object,
  addresses: Addresses,
): Promise<void> {
  const document = description as StaticDocumentSpec['document'];
  await server.register(swagger, { mode: 'static', specification: { document } });
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Job Listing Service' },
    uiConfig: {
      layout: 'BaseLayout',
      persistAuthorization: true,
      displayRequestDuration: true,
      docExpansion: 'list',
    },
    staticCSP: docsPolicy(addresses),
  });
}

/** What the pages under /docs may load and call: themselves and the API. */
export function docsPolicy({ origin }: Addresses): Record<string, string[]> {
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    // Swagger UI draws with style attributes.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'", new URL(origin).origin],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
}
