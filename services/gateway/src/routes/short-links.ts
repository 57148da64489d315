import type { Bus } from '@joblisting/bus';
import { resolveLink, ServiceError } from '@joblisting/contracts';
import type { FastifyInstance } from 'fastify';
import { contextOf } from '../http/request-state.ts';
import { refuseFaults } from '../http/rewrite.ts';

const LONGEST_CODE = 64;

/** GET /s/{code} redirects to the job's public page (API decisions, "Short links"). */
export function followShortLinks(server: FastifyInstance, bus: Pick<Bus, 'request'>): void {
  server.get<{ Params: { code: string } }>(
    '/s/:code',
    { config: { operation: 'followShortLink', owner: resolveLink.owner } },
    async (request, reply) => {
      refuseFaults(request.raw);
      const { code } = request.params;
      if (code.length > LONGEST_CODE) throw new ServiceError('link_not_found');
      const { data } = await bus.request(resolveLink, {
        params: { code },
        context: contextOf(request),
      });
      return reply.header('Cache-Control', 'private, max-age=90').redirect(data.location, 302);
    },
  );
}
