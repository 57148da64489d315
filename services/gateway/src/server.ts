import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import type { Bus } from '@joblisting/bus';
import { keyRevoked } from '@joblisting/contracts';
import type { Clock, Log, Metrics, Tracing } from '@joblisting/service-kit';
import { fastify, type FastifyInstance } from 'fastify';
import { type Addresses, addressesAt, BASE_PATH } from './addresses.ts';
import { createCaches } from './cache/caches.ts';
import type { GatewayConfig } from './config.ts';
import { serveDescription } from './docs/description.ts';
import { serveErrorsPage } from './docs/errors-page.ts';
import { docsPolicy, serveReference } from './docs/reference.ts';
import { answerErrors } from './errors/handler.ts';
import { authenticator } from './grants/authenticate.ts';
import { rememberGrants } from './grants/grants.ts';
import { answerHealth } from './health.ts';
import { logRequests } from './http/access-log.ts';
import { newRequestId, openCalls, requestIdOf } from './http/call.ts';
import { closeGracefully } from './http/closing.ts';
import { allowOrigins } from './http/cors.ts';
import { boundBuffers } from './http/buffers.ts';
import { type TellEnd, tellEnds } from './http/ended.ts';
import { ignoreExpectations } from './http/expect.ts';
import { refuseTwoHosts } from './http/host.ts';
import { guardFrontDoor } from './http/front-door.ts';
import { boundInFlight, type Places } from './http/in-flight.ts';
import { type KnownPath, refuseUnrouted } from './http/not-found.ts';
import { parseQuery } from './http/query.ts';
import { countRequests, watchOccupied } from './http/request-metrics.ts';
import { answerReady } from './http/ready-answers.ts';
import { rewriteRequest } from './http/rewrite.ts';
import { setSecurityHeaders } from './http/security-headers.ts';
import { answerUnreadable } from './http/unreadable.ts';
import { refuseNoVersion } from './http/version.ts';
import { countFailedAttempts } from './limits/failed-attempts.ts';
import { rateLimits, showLimits } from './limits/rate-limits.ts';
import { trustedProxies } from './limits/trusted-proxies.ts';
import { exchangeUsage } from './limits/usage-exchange.ts';
import { countUsage } from './limits/usage.ts';
import { describeApi } from './openapi/document.ts';
import { knownPathsOf } from './routes/known-paths.ts';
import { ownersOf } from './routes/owners.ts';
import { answerReadsById } from './routes/reads-by-id.ts';
import { registerRow } from './routes/register.ts';
import { table } from './routes/table.ts';
import { followShortLinks } from './short-links.ts';

export interface ServerContext {
  readonly config: GatewayConfig & { readonly MAX_IN_FLIGHT: number };
  readonly log: Log;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | undefined;
  /** Milliseconds that only ever go forward. */
  readonly monotonic?: () => number;
}

/** How often node looks for requests that arrive too slowly. */
const CHECKING_EVERY_MS = 500;

const outside: readonly KnownPath[] = [
  { template: '/healthz', methods: ['GET'], keys: 'none' },
  { template: '/readyz', methods: ['GET'], keys: 'none' },
  { template: '/s/{code}', methods: ['GET'], keys: 'none' },
  { template: '/openapi.json', methods: ['GET'], keys: 'none' },
  { template: '/docs', methods: ['GET'], keys: 'none' },
  { template: '/docs/errors', methods: ['GET'], keys: 'none' },
];

/** Wires the HTTP front. It listens when it is told to. */
export async function createServer(context: ServerContext): Promise<FastifyInstance> {
  const { config, log, clock, bus, metrics, monotonic = () => performance.now() } = context;
  const addresses = addressesAt(config.PUBLIC_URL);
  const grants = rememberGrants({ bus, clock, monotonic });
  bus.listen(keyRevoked, ({ keyId }) => grants.drop(keyId));
  const usage = countUsage(clock);
  const limits = rateLimits(usage, {
    reads: config.RATE_LIMIT_READS_PER_MINUTE,
    writes: config.RATE_LIMIT_WRITES_PER_MINUTE,
  });
  const failures = countFailedAttempts(clock, config.FAILED_AUTH_PER_MINUTE);
  const authenticate = authenticator(grants, limits, failures);

  const server = bareServer(config, addresses);
  const { isClosing, refusing, countIn } = closeGracefully(server, {
    drainMs: config.DRAIN_MS,
    // Longer than any answer takes once its body is here, shorter than a supervisor's patience.
    limitMs: config.REQUEST_TIMEOUT_MS + 500,
  });
  openCalls(server, config.REQUEST_TIMEOUT_MS, context.tracing);
  showLimits(server, limits);
  const exchange = exchangeUsage(bus, usage, randomUUID());
  server.addHook('onClose', async () => exchange.stop());
  const [logRequest, countRequest] = [logRequests(log), countRequests(metrics)];
  const tell: TellEnd = (request) => {
    logRequest(request);
    countRequest(request);
  };
  tellEnds(server, tell);
  await setSecurityHeaders(server, addresses.origin.startsWith('https:'));
  await allowOrigins(server);
  refuseNoVersion(server);
  refuseTwoHosts(server);
  ignoreExpectations(server);
  server.server.maxConnections = config.MAX_CONNECTIONS;
  const buffers = boundBuffers(config.MAX_BUFFERED_BYTES, monotonic);
  const places = boundInFlight(server, config.MAX_IN_FLIGHT, buffers);
  const ofAll = { tell, tracing: context.tracing, buffers, isClosing, countIn };
  const ready = answerReady(ofAll);
  const reads = answerReadsById(table, {
    ...ofAll,
    bus,
    addresses,
    authenticate,
    limits,
    places,
    log,
    timeoutMs: config.REQUEST_TIMEOUT_MS,
  });
  const ownerOf = ownersOf(table, BASE_PATH);
  guardFrontDoor(server, { places, addresses, tell, ownerOf, isClosing, ready, reads });
  const occupied = { inFlight: places.inFlight, buffered: buffers.total };
  watchOccupied(metrics, server, occupied, () => ({
    requests: config.MAX_IN_FLIGHT,
    ...requestsOfEach(places),
    bytes: config.MAX_BUFFERED_BYTES,
    connections: config.MAX_CONNECTIONS,
  }));
  answerErrors(server, { addresses, log, bodyLimit: config.BODY_LIMIT_BYTES });

  const caches = createCaches(bus, monotonic);
  const doors = {
    bus,
    authenticate,
    addresses,
    bodyLimit: config.BODY_LIMIT_BYTES,
    buffers,
    caches,
    readyAnswers: ready,
    refusing,
  };
  for (const row of table) registerRow(server, row, doors);
  refuseUnrouted(server, [...knownPathsOf(table, BASE_PATH), ...outside], authenticate);
  answerHealth(server, bus, isClosing);
  followShortLinks(server, bus);

  const description = describeApi(table, addresses);
  serveDescription(server, description);
  serveErrorsPage(server, docsPolicy(addresses));
  await serveReference(server, description, addresses);
  return server;
}

const requestsOfEach = ({ ofEach }: Places): Record<string, number> =>
  Object.fromEntries([...ofEach()].map(([owner, limit]) => [`requests_of_${owner}`, limit]));

function bareServer(config: GatewayConfig, addresses: Addresses): FastifyInstance {
  const server = fastify({
    logger: false,
    trustProxy: trustedProxies(config.TRUSTED_PROXIES),
    genReqId: requestIdOf,
    rewriteUrl: rewriteRequest,
    clientErrorHandler: answerUnreadable(addresses, newRequestId),
    // Cuts off who sends slowly (only the three together do) and who does not read the answer.
    // Node waits once more after this time where an answer is on its way out. A slow request gets its 408 before.
    connectionTimeout: config.RECEIVE_TIMEOUT_MS + 2 * CHECKING_EVERY_MS,
    requestTimeout: config.RECEIVE_TIMEOUT_MS,
    http: {
      headersTimeout: config.RECEIVE_TIMEOUT_MS,
      connectionsCheckingInterval: CHECKING_EVERY_MS,
      // Else node takes the first of two and drops the other.
      joinDuplicateHeaders: true,
    },
    keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: {
      maxParamLength: 65_536,
      querystringParser: (query) => parseQuery(query) as unknown as Record<string, string>,
    },
  });
  // Bodies are piped, not parsed: fastify has no part in them.
  for (const method of METHODS) {
    if (method !== 'CONNECT') server.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  return server;
}
