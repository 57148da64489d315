import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import { fastify, type FastifyInstance } from 'fastify';

const EXPOSED = [
  'Location',
  'ETag',
  'Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotent-Replayed',
  'Dry-Run',
  'Content-Disposition',
  'Deprecation',
  'Sunset',
  'Link',
].join(', ');
const PER_RESPONSE = new Set(['content-type', 'content-length', 'date', 'connection']);

/** Sets headers of Helmet that suit an API which any origin may read. They are the same on every answer. */
export function setSecurityHeaders(server: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** Any origin, no credentials (API decisions, "Browsers"). Answers OPTIONS before authentication. */
export async function allowOrigins(server: FastifyInstance): Promise<void> {
  await server.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: 86_400,
    strictPreflight: false,
  });
}

/** The headers that `allowOrigins` sets on every answer except a preflight's. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
};

/** Built once here, because Helmet would build them for each answer. */
export async function securityHeaders(isHttps: boolean): Promise<Record<string, string>> {
  const probe = fastify();
  await probe.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    dnsPrefetchControl: false,
    ieNoOpen: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
    frameguard: { action: 'deny' },
    strictTransportSecurity: isHttps,
  });
  probe.get('/', async () => '');
  const { headers } = await probe.inject('/');
  await probe.close();
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !PER_RESPONSE.has(name))
      .map(([name, value]) => [name, String(value)]),
  );
}
