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
];
const OF_THE_ANSWER = new Set(['content-type', 'content-length', 'date', 'connection']);

/** Sets Helmet's headers that suit an API which any origin may read. They are the same on every answer. */
export async function setSecurityHeaders(server: FastifyInstance, isHttps: boolean): Promise<void> {
  const headers = await helmetHeaders(isHttps);
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** Any origin, no credentials (API decisions, "Browsers"). Answers OPTIONS before any key is asked for. */
export async function allowOrigins(server: FastifyInstance): Promise<void> {
  await server.register(cors, {
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    exposedHeaders: EXPOSED.join(', '),
    maxAge: 86_400,
    strictPreflight: false,
  });
}

/** Helmet builds its headers anew for each answer; they are built once here. */
async function helmetHeaders(isHttps: boolean): Promise<Record<string, string>> {
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
      .filter(([name]) => !OF_THE_ANSWER.has(name))
      .map(([name, value]) => [name, String(value)]),
  );
}
