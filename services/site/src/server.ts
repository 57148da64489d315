import type { Bus } from '@joblisting/bus';
import { busTrouble } from '@joblisting/service-kit';
import helmet from '@fastify/helmet';
import { fastify, type FastifyInstance } from 'fastify';
import type { ServerContext } from './pages/context.ts';
import { createViews } from './pages/views.ts';
import { serveFeeds } from './pages/feeds.ts';
import { serveJobPage } from './pages/job.ts';
import { serveRobots, serveSitemap } from './pages/sitemap.ts';
import { streamReplies } from './pages/stream-reply.ts';

/** Wires the HTTP server. It does not listen yet. */
export async function createServer(context: ServerContext): Promise<FastifyInstance> {
  const { bus, config, log } = context;
  const server = fastify({ logger: false, routerOptions: { ignoreTrailingSlash: true } });
  await server.register(helmet, {
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
    strictTransportSecurity: config.SEARCH_URL.startsWith('https:'),
  });
  const views = createViews();
  serveJobPage(server, context, views);
  const serveStream = streamReplies(server, context);
  serveFeeds(context, serveStream);
  serveSitemap(context, serveStream);
  serveRobots(server, context);
  server.setNotFoundHandler(async (_request, reply) =>
    views.send(reply.code(404), 'message', {
      title: 'Page not found',
      text: 'There is no page at this address.',
    }),
  );
  server.setErrorHandler(async (err, request, reply) => {
    log.error({ err, path: request.routeOptions.url }, 'a request failed');
    return views.send(reply.code(500), 'message', {
      title: 'Something went wrong',
      text: 'Please try again in a moment.',
    });
  });
  answerHealth(server, bus);
  return server;
}

/** `/healthz`: the process is alive. `/readyz`: it can serve pages. */
function answerHealth(server: FastifyInstance, bus: Bus): void {
  server.get('/healthz', async () => ({ status: 'live' }));
  server.get('/readyz', async (_request, reply) => {
    const reason = await busTrouble(bus);
    return reason === undefined ? { status: 'ready' } : reply.code(503).send({ status: 'not ready', reason });
  });
}
