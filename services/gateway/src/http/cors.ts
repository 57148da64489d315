import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Any origin, no credentials (API decisions, "Browsers"). Answers OPTIONS before any key is asked for. */
export async function allowOrigins(server: FastifyInstance): Promise<void> {
  await server.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    // Not as a list, which would be put together anew for each answer.
    exposedHeaders: [
      'Location',
      'ETag',
      'Request-Id',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'Idempotent-Replayed',
    ].join(', '),
    maxAge: 86_400,
    strictPreflight: false,
  });
}
