import { ServiceError } from '@joblisting/contracts';
import type { FastifyInstance } from 'fastify';
import { BASE_PATH } from '../addresses.ts';
import type { Authenticate } from '../grants/authenticate.ts';
import type { Keys } from '../grants/credentials.ts';
import { PRIVATE } from './caching.ts';
import { pathOf } from './path.ts';
import { refuseFaults } from './refuse-faults.ts';
import { faultOf } from './rewrite.ts';

/** A path that exists, with what it takes to learn that a method does not. */
export interface KnownPath {
  /** With `{name}` for a parameter. */
  readonly template: string;
  readonly methods: readonly string[];
  readonly keys: Keys | 'none';
}

/**
 * Answers what no route takes: 401 first, then 404, then 405 with Allow (API decisions, "Order of refusals"). A
 * path whose operations are all public, and any outside /v1.0, needs no keys.
 */
export function refuseUnrouted(
  server: FastifyInstance,
  paths: readonly KnownPath[],
  authenticate: Authenticate,
): void {
  // To the router a segment of no characters is a parameter as well.
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 && Object.values(request.params as object).includes('')) reply.callNotFound();
    else done();
  });

  const known = paths.map((path) => ({ ...path, pattern: patternOf(path.template), allow: allowOf(path) }));

  server.setNotFoundHandler(async (request, reply) => {
    const path = decoded(pathOf(request.raw.url ?? '/'));
    const match = known.find(({ pattern }) => pattern.test(path));
    const versioned = path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
    const keys = match ? match.keys : versioned ? 'keys' : 'none';
    if (keys !== 'none') {
      reply.header('Cache-Control', PRIVATE);
      await authenticate.first(request, keys);
    }
    if (!match) throw new ServiceError('path_not_found');
    // With an override that is none, nobody knows which method was meant.
    if (faultOf(request.raw)?.override) refuseFaults(request);
    reply.header('Allow', match.allow);
    throw new ServiceError('method_not_allowed', `This path supports ${match.allow}.`);
  });
}

/** HEAD works wherever GET does; OPTIONS is answered everywhere. */
function allowOf({ methods }: KnownPath): string {
  const withHead = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(withHead), 'OPTIONS'].join(', ');
}

function patternOf(template: string): RegExp {
  const source = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${source}$`);
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
