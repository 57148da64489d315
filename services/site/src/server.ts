import type { Bus } from '@joblisting/bus';
import { busTrouble } from '@joblisting/service-kit';
import helmet from '@fastify/helmet';
import { fastify, type FastifyInstance } from 'fastify';
import { serveApplying } from './pages/apply.ts';
import type { ServerContext } from './pages/context.ts';
import { serveCounting } from './pages/count.ts';
import { createViews } from './pages/views.ts';
import { serveJobPage } from './pages/job.ts';

/** An application with files may come over a slow connection. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Wires the HTTP server. It does not listen yet. */
export async function createServer(context: ServerContext): Promise<FastifyInstance> {
  const { bus, clock, config, log, tokens } = context;
  const server = fastify({
    logger: false,
    routerOptions: { ignoreTrailingSlash: true },
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: config.TRUSTED_PROXIES || false,
  });
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
  const views = createViews({ viewToken: (jobId) => tokens.forView(jobId, clock.now()) });
  serveJobPage(server, context, views);
  await serveApplying(server, context, views);
  serveCounting(server, context);
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
