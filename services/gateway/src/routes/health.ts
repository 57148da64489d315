import type { Bus } from '@joblisting/bus';
import { busTrouble } from '@joblisting/service-kit';
import type { FastifyInstance } from 'fastify';

/** `/healthz`: the process is alive. `/readyz`: it can serve requests; 503 with the reason where it cannot. */
export function answerHealth(server: FastifyInstance, bus: Bus, isStopping: () => boolean): void {
  const config = { quiet: true };
  const noStore = { 'cache-control': 'no-store' };
  server.get('/healthz', { config }, async (_request, reply) =>
    reply.headers(noStore).send({ status: 'live' }),
  );
  server.get('/readyz', { config }, async (_request, reply) => {
    const reason = isStopping() ? 'stopping' : await busTrouble(bus);
    reply.headers(noStore);
    return reason === undefined
      ? reply.send({ status: 'ready' })
      : reply.code(503).header('Retry-After', 1).send({ status: 'not ready', reason });
  });
}
