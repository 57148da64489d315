import { randomUUID } from 'node:crypto';
import { closeGracefully, proxyMatcher, trustedProxies } from '@joblisting/service-kit/http';
import helmet from '@fastify/helmet';
import { fastify, type FastifyInstance } from 'fastify';
import type { SiteConfig } from './config.ts';
import { siteUrlOf } from './domain/feed-posting.ts';
import { limitConnections, limitRequests } from './http/limits.ts';
import { observeRequests } from './http/request-log.ts';
import { serveApplying } from './pages/apply.ts';
import { readAssets, serveAssets } from './pages/assets.ts';
import { serveCompany } from './pages/company.ts';
import type { ServerContext } from './pages/context.ts';
import { serveCounting } from './pages/count.ts';
import { answerErrors, errorPages } from './pages/errors.ts';
import { serveFeeds } from './pages/feeds.ts';
import { serveJobPage } from './pages/job.ts';
import { serveSearch } from './pages/search.ts';
import { serveRobots, serveSitemap } from './pages/sitemap.ts';
import { streamReplies } from './pages/stream-reply.ts';
import { basePathOf, createViews } from './pages/views.ts';

const HEADERS_TIMEOUT_MS = 10_000;
/** How often node looks for requests that arrive too slowly. */
const CHECKING_EVERY_MS = 1000;
/** Of forms without files. */
const BODY_LIMIT_BYTES = 64 * 1024;
const LONGEST_URL = 8000;
/** Where no page is. */
const UNDECODABLE = '/undecodable';
/** How long requests in flight may take once the server stops; shorter than a supervisor waits. */
const STOP_LIMIT_MS = 5000;

/** Wires the HTTP server. It does not listen yet. Hooks run in the order in which they are added here. */
export async function createServer(context: ServerContext): Promise<FastifyInstance> {
  const { clock, config, log, metrics, notReady, tokens } = context;
  const assets = readAssets();
  const base = basePathOf(config.SEARCH_URL);
  const views = createViews({
    siteName: config.SITE_NAME,
    base,
    siteUrl: siteUrlOf(config.SEARCH_URL),
    stylesheet: base + assets.pathOf('site.css'),
    icon: base + assets.pathOf('icon.svg'),
    countScript: base + assets.pathOf('count.js'),
    viewToken: (jobId) => tokens.forView(jobId, clock.now()),
  });
  const sendError = errorPages(views);
  const proxies = trustedProxies(config.TRUSTED_PROXIES);
  const server = bareServer(config, proxies);
  const { isStopping } = closeGracefully(server, { drainMs: config.DRAIN_MS, limitMs: STOP_LIMIT_MS });

  observeRequests(server, log, metrics);
  await setSecurityHeaders(server, config.SEARCH_URL.startsWith('https:'));
  limitConnections(server, {
    most: config.MAX_CONNECTIONS,
    mostOfOneAddress: config.MAX_CONNECTIONS_PER_ADDRESS,
    isProxy: proxyMatcher(proxies),
  });
  const { inFlight } = limitRequests(server, {
    maxInFlight: config.MAX_IN_FLIGHT,
    longestUrl: LONGEST_URL,
    onTooMany: (reply) => sendError(reply, 503),
    onTooLong: (reply) => sendError(reply, 414),
  });
  metrics.gauge({ name: 'http_server_requests_in_flight', help: 'Concurrent requests now.' }, inFlight);
  answerErrors(server, sendError, log);

  serveAssets(server, assets);
  serveSearch(server, context, views);
  serveJobPage(server, context, views);
  serveCompany(server, context, views);
  await serveApplying(server, context, views);
  serveCounting(server, context);
  const serveStream = streamReplies(server, context);
  serveFeeds(context, serveStream);
  serveSitemap(context, serveStream);
  serveRobots(server, context);
  answerHealth(server, async () => (isStopping() ? 'stopping' : notReady()));
  return server;
}

function bareServer(config: SiteConfig, trustProxy: ReturnType<typeof trustedProxies>): FastifyInstance {
  return fastify({
    logger: false,
    trustProxy,
    genReqId: () => randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
    // A slow body is only cut off where all three are set.
    requestTimeout: config.RECEIVE_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: CHECKING_EVERY_MS },
    // A client that does not read its answer.
    connectionTimeout: config.RECEIVE_TIMEOUT_MS + 2 * CHECKING_EVERY_MS,
    keepAliveTimeout: config.KEEP_ALIVE_TIMEOUT_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : UNDECODABLE),
  });
}

/** Fastify answers a path that it cannot decode by itself, without any hook. */
function isDecodable(url: string): boolean {
  try {
    decodeURI(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

const setSecurityHeaders = (server: FastifyInstance, isHttps: boolean) =>
  server.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isHttps,
  });

/** `/healthz`: the process is alive. `/readyz`: it can serve pages. */
function answerHealth(server: FastifyInstance, notReady: ServerContext['notReady']): void {
  const config = { quiet: true };
  server.get('/healthz', { config }, async () => ({ status: 'live' }));
  server.get('/readyz', { config }, async (_request, reply) => {
    const reason = await notReady();
    return reason === undefined ? { status: 'ready' } : reply.code(503).send({ status: 'not ready', reason });
  });
}
