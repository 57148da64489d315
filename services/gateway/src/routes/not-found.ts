import { ServiceError } from '@joblisting/contracts';
import type { FastifyInstance } from 'fastify';
import { BASE_PATH } from '../addresses.ts';
import type { Authenticator } from '../auth/authenticate.ts';
import type { Keys } from '../auth/credentials.ts';
import { PRIVATE } from '../http/headers.ts';
import { faultOf, pathOf, refuseFaults } from '../http/rewrite.ts';
import type { Row } from './row.ts';

/** A path that exists, with the keys that it takes to learn which methods it has. */
interface KnownPath {
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
  table: readonly Row[],
  authenticator: Authenticator,
  pages: readonly string[],
): void {
  // The router takes an empty segment for a parameter.
  server.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 && Object.values(request.params as object).includes('')) reply.callNotFound();
    else done();
  });
  // And a fixed segment, where its own path lacks the method.
  for (const { url, method } of shadowedMethods(pathsOf(table))) {
    server.route({
      url,
      method,
      handler: async () => undefined,
      onRequest: (_request, reply) => {
        reply.callNotFound();
      },
    });
  }

  const outside = ['/healthz', '/readyz', '/s/{code}', ...pages];
  const paths = [...pathsOf(table), ...outside.map(readable)];
  const fixedFirst = paths.toSorted(
    (one, other) => Number(isFixed(other.template)) - Number(isFixed(one.template)),
  );
  const known = fixedFirst.map((path) => ({
    keys: path.keys,
    pattern: patternOf(path.template),
    allow: allowOf(path),
  }));

  server.setNotFoundHandler(async (request, reply) => {
    const path = decoded(pathOf(request.raw.url ?? '/'));
    const match = known.find(({ pattern }) => pattern.test(path));
    const versioned = path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
    const keys = match ? match.keys : versioned ? 'keys' : 'none';
    if (keys !== 'none') {
      reply.header('Cache-Control', PRIVATE);
      await authenticator.authenticate(request, keys);
    }
    if (!match) throw new ServiceError('path_not_found');
    // With an invalid override nobody knows which method was meant.
    if (faultOf(request.raw)?.override) refuseFaults(request.raw);
    reply.header('Allow', match.allow);
    throw new ServiceError('method_not_allowed', `This path supports ${match.allow}.`);
  });
}

const isFixed = (template: string): boolean => !template.includes('{');

/** The methods that fixed paths lack, and paths with parameters that match them have. */
function shadowedMethods(paths: readonly KnownPath[]): { url: string; method: string[] }[] {
  return paths
    .filter(({ template }) => isFixed(template))
    .map(({ template, methods }) => {
      const others = paths.filter(
        (path) => path.template !== template && patternOf(path.template).test(template),
      );
      const lacking = others.flatMap((path) => path.methods).filter((method) => !methods.includes(method));
      return { url: template, method: [...new Set(lacking)] };
    })
    .filter(({ method }) => method.length > 0);
}

/** A path of the table needs keys as soon as any of its operations does. */
function pathsOf(table: readonly Row[]): KnownPath[] {
  return [...Map.groupBy(table, ({ path }) => path)].map(([path, rows]) => ({
    template: BASE_PATH + path,
    methods: rows.map(({ method }) => method),
    keys: rows.map(({ access }) => access.keys).find((keys) => keys !== 'none') ?? 'none',
  }));
}

const readable = (template: string): KnownPath => ({ template, methods: ['GET'], keys: 'none' });

/** HEAD works wherever GET does; OPTIONS is answered everywhere. */
function allowOf({ methods }: KnownPath): string {
  const withHead = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(withHead), 'OPTIONS'].join(', ');
}

function patternOf(template: string): RegExp {
  const source = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${source}/?$`);
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
