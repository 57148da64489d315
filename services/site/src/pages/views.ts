import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';

export type Views = ReturnType<typeof createViews>;

/** The same from `src` and from `dist`. */
const VIEWS = fileURLToPath(new URL('../../views', import.meta.url));

/** What every template can use. */
export interface SiteValues {
  /** A token that counts one view of the job. */
  readonly viewToken: (jobId: number) => string;
}

/** The templates in `views/`. Eta escapes every value that a template prints by `<%= %>`. */
export function createViews(site: SiteValues) {
  const eta = new Eta({ views: VIEWS, cache: true, autoEscape: true });
  return {
    send: (reply: FastifyReply, view: string, values: object): FastifyReply =>
      reply.type('text/html; charset=utf-8').send(eta.render(`./${view}`, { ...site, ...values })),
  };
}
