import type { Bus } from '@joblisting/bus';
import { resolveLink, ServiceError } from '@joblisting/contracts';
import { busTrouble, productVersion } from '@joblisting/service-kit';
import type { FastifyInstance } from 'fastify';
import { called, contextOf } from '../http/request-state.ts';
import { refuseFaults } from '../http/rewrite.ts';

const LONGEST_CODE = 64;

/** `/healthz`: the process is alive, and which version it is. `/readyz`: it can serve requests; 503 with the reason where it cannot. */
export function answerHealth(server: FastifyInstance, bus: Bus, isStopping: () => boolean): void {
  const config = { quiet: true };
  const noStore = { 'cache-control': 'no-store' };
  server.get('/healthz', { config }, async (_request, reply) =>
    reply.headers(noStore).send({ status: 'live', version: productVersion }),
  );
  server.get('/readyz', { config }, async (_request, reply) => {
    const reason = isStopping() ? 'stopping' : await busTrouble(bus);
    reply.headers(noStore);
    return reason === undefined
      ? reply.send({ status: 'ready' })
      : reply.code(503).header('Retry-After', 1).send({ status: 'not ready', reason });
  });
}

/** GET /s/{code} redirects to the job's public page (API decisions, "Short links"). */
export function followShortLinks(server: FastifyInstance, bus: Pick<Bus, 'request'>): void {
  server.get<{ Params: { code: string } }>(
    '/s/:code',
    { config: { operation: 'followShortLink', owner: resolveLink.owner } },
    async (request, reply) => {
      refuseFaults(request.raw);
      const { code } = request.params;
      if (code.length > LONGEST_CODE) throw new ServiceError('link_not_found');
      const resolving = bus.request(resolveLink, { params: { code }, context: contextOf(request) });
      const { data } = await called(request, resolveLink.owner, resolving);
      return reply.header('Cache-Control', 'private, max-age=90').redirect(data.location, 302);
    },
  );
}
