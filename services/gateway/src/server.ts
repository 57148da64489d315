import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, METHODS, type RequestListener, type Server } from 'node:http';
import type { Bus } from '@joblisting/bus';
import { keyRevoked } from '@joblisting/contracts';
import type { Clock, Log, Metrics, Tracing } from '@joblisting/service-kit';
import { closeGracefully, proxyMatcher, trustedProxies } from '@joblisting/service-kit/http';
import { fastify, type FastifyInstance } from 'fastify';
import { addressesAt } from './addresses.ts';
import { type Authenticator, authenticator } from './auth/authenticate.ts';
import { grantsCache } from './auth/grants.ts';
import type { GatewayConfig } from './config.ts';
import { earlyReject } from './early-reject.ts';
import { makeDocs } from './docs/docs.ts';
import { servePages } from './docs/serve.ts';
import { answerErrors } from './http/errors.ts';
import { answerParserErrors, refuseProtocolErrors, reportUnparsed } from './http/protocol.ts';
import { parseQuery } from './http/query.ts';
import { type EndedRequest, logRequests, onRequestEnd } from './http/request-log.ts';
import { countRequests, measureUsage, reportConnections } from './http/request-metrics.ts';
import { newRequestId, requestIdOf, trackRequests } from './http/request-state.ts';
import { rewriteRequest } from './http/rewrite.ts';
import { allowOrigins, CORS_HEADERS, securityHeaders, setSecurityHeaders } from './http/security-headers.ts';
import { concurrencyLimiter, limitRequests } from './limits/concurrency.ts';
import { type ConnectionLimiter, connectionLimiter } from './limits/connections.ts';
import { countFailedAttempts } from './limits/failed-attempts.ts';
import { longPolls } from './limits/long-polls.ts';
import { memoryLimiter } from './limits/memory.ts';
import { limitPipelining } from './limits/pipelining.ts';
import { rateLimits, showRateLimits } from './limits/rate-limits.ts';
import { LARGE_PAUSE_MS, type RefusalPause, refusalPause } from './limits/refusal-pause.ts';
import { readToTheEnd, refuseTinyChunks } from './limits/tiny-chunks.ts';
import { shareTurns } from './limits/turns.ts';
import { countUsage } from './limits/usage.ts';
import { broadcastUsage } from './limits/usage-broadcast.ts';
import { countWriteVolume } from './limits/write-volume.ts';
import { describeApi } from './openapi/document.ts';
import { refuseUnrouted } from './routes/not-found.ts';
import { createPublicCaches } from './routes/public-cache.ts';
import { registerRow } from './routes/register.ts';
import { longestTimeoutMs, routeSegments, table } from './routes/table.ts';
import { answerHealth, followShortLinks } from './routes/unversioned.ts';

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

/** Each of many small headers costs 100 times its bytes once parsed. Most servers and proxies have this limit too. */
const MOST_HEADERS = 100;

/** Wires the HTTP server. It does not listen yet. Hooks run in the order in which they are added here. */
export async function createServer(context: ServerContext): Promise<FastifyInstance> {
  const { config, log, bus, metrics, monotonic = () => performance.now() } = context;
  const addresses = addressesAt(config.PUBLIC_URL);
  const [logRequest, countRequest] = [logRequests(log, routeSegments), countRequests(metrics)];
  const onEnd = (ended: EndedRequest): void => {
    logRequest(ended);
    countRequest(ended);
  };
  const concurrency = concurrencyLimiter(config.MAX_IN_FLIGHT);
  const security = await securityHeaders(addresses.origin.startsWith('https:'));
  const commonHeaders = { ...security, ...CORS_HEADERS };
  const { isFull } = concurrency;
  const proxies = trustedProxies(config.TRUSTED_PROXIES);
  const isProxy = proxyMatcher(proxies);
  const server = bareServer(config, {
    proxies,
    isProxy,
    clientErrorHandler: answerParserErrors(addresses, newRequestId, reportUnparsed(metrics, log, monotonic)),
    wrap: earlyReject({ addresses, commonHeaders, isFull, onEnd }),
    connections: connectionLimiter({
      most: config.MAX_CONNECTIONS,
      mostOfOneAddress: config.MAX_CONNECTIONS_PER_ADDRESS,
      isProxy,
      monotonic,
      ...reportConnections(metrics, log),
    }),
  });
  const { isStopping, stopping } = closeGracefully(server, {
    drainMs: config.DRAIN_MS,
    // Longer than any request with its pause, shorter than a supervisor waits.
    limitMs: Math.max(config.REQUEST_TIMEOUT_MS, longestTimeoutMs) + LARGE_PAUSE_MS + 500,
  });

  trackRequests(server, config.REQUEST_TIMEOUT_MS, context.tracing);
  onRequestEnd(server, onEnd);
  setSecurityHeaders(server, security);
  await allowOrigins(server);
  refuseProtocolErrors(server);
  const memory = memoryLimiter(config.MAX_BUFFERED_BYTES, monotonic);
  const pause = refusalPause();
  limitRequests(server, concurrency, { memory, pause, bodyLimit: config.BODY_LIMIT_BYTES, monotonic });
  measureUsage(metrics, server, {
    inFlight: concurrency.inFlight,
    heldBytes: memory.total,
    limits: {
      requests: config.MAX_IN_FLIGHT,
      requests_of_one_service: concurrency.limitOfOneService,
      bytes: config.MAX_BUFFERED_BYTES,
      connections: config.MAX_CONNECTIONS,
      connections_of_one_address: config.MAX_CONNECTIONS_PER_ADDRESS,
    },
  });
  const auth = createAuthenticator(server, context, { pause, monotonic });
  answerErrors(server, { addresses, log, bodyLimit: config.BODY_LIMIT_BYTES });

  const deps = {
    bus,
    authenticator: auth,
    addresses,
    bodyLimit: config.BODY_LIMIT_BYTES,
    memory,
    volume: countWriteVolume(context.clock, config.WRITE_BYTES_PER_DAY),
    caches: createPublicCaches(bus, monotonic),
    longPoll: longPolls(stopping),
    stopping,
  };
  for (const row of table) registerRow(server, row, deps);
  const description = describeApi(table, addresses);
  const pages = await makeDocs({ description, addresses, searchUrl: config.SEARCH_URL });
  await servePages(server, pages);
  const paths = pages.map(({ path }) => path);
  refuseUnrouted(server, table, auth, paths);
  answerHealth(server, bus, isStopping);
  followShortLinks(server, bus);
  return server;
}

/** Authentication with the limits that hang on it: each consumer's rate, and each network's failed attempts. */
function createAuthenticator(
  server: FastifyInstance,
  { config, clock, bus }: ServerContext,
  { pause, monotonic }: { readonly pause: RefusalPause; readonly monotonic: () => number },
): Authenticator {
  const grants = grantsCache({ bus, clock, monotonic });
  bus.listen(keyRevoked, ({ keyId }) => grants.drop(keyId));
  const usage = countUsage(clock);
  const broadcast = broadcastUsage(bus, usage, randomUUID());
  server.addHook('onClose', async () => broadcast.stop());
  const limits = rateLimits(usage, {
    reads: config.RATE_LIMIT_READS_PER_MINUTE,
    writes: config.RATE_LIMIT_WRITES_PER_MINUTE,
  });
  showRateLimits(server, limits);
  const failures = countFailedAttempts(clock, config.FAILED_AUTH_PER_MINUTE);
  return authenticator(grants, limits, failures, pause);
}

interface Edges {
  readonly clientErrorHandler: ReturnType<typeof answerParserErrors>;
  readonly proxies: ReturnType<typeof trustedProxies>;
  readonly isProxy: (address: string) => boolean;
  readonly wrap: (handle: RequestListener) => RequestListener;
  readonly connections: ConnectionLimiter;
}

function bareServer(config: GatewayConfig, edges: Edges): FastifyInstance {
  const { clientErrorHandler, proxies, isProxy, wrap, connections } = edges;
  const server = fastify({
    logger: false,
    trustProxy: proxies,
    genReqId: requestIdOf,
    rewriteUrl: rewriteRequest,
    clientErrorHandler,
    serverFactory: (handle) => httpServer(config, wrap(shareTurns(handle, isProxy)), connections),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: {
      maxParamLength: 65_536,
      ignoreTrailingSlash: true,
      querystringParser: (query) => parseQuery(query) as unknown as Record<string, string>,
    },
  });
  // Bodies are read by the routes and passed on as bytes: fastify parses none.
  for (const method of METHODS) {
    if (method !== 'CONNECT') server.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  return server;
}

/** Node's server with its time-outs. A client that sends slowly, or does not read its answer, is cut off. */
function httpServer(config: GatewayConfig, handle: RequestListener, connections: ConnectionLimiter): Server {
  const { shutOut, watch } = connections;
  const receiveTimeoutMs = config.RECEIVE_TIMEOUT_MS;
  const options = {
    // A slow body is only cut off where all three are set.
    requestTimeout: receiveTimeoutMs,
    headersTimeout: receiveTimeoutMs,
    connectionsCheckingInterval: CHECKING_EVERY_MS,
    keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT_MS,
    // Else node takes the first of two headers of one name and drops the other.
    joinDuplicateHeaders: true,
    IncomingMessage: refuseTinyChunks((socket) => shutOut(socket, 'tiny_chunks')),
  };
  const server = createHttpServer(
    options,
    limitPipelining(readToTheEnd(handle), (socket) => shutOut(socket, 'pipelined_requests')),
  );
  watch(server);
  server.maxHeadersCount = MOST_HEADERS;
  // A slow request gets its 408 before this. Node waits one time-out more while it sends an answer.
  server.setTimeout(receiveTimeoutMs + 2 * CHECKING_EVERY_MS);
  return server;
}
