import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { noneMatchHits } from '@joblisting/service-kit/http';
import { Eta } from 'eta';
import type { FastifyReply } from 'fastify';

export type Views = ReturnType<typeof createViews>;

/** What every template can use. */
export interface SiteValues {
  readonly siteName: string;
  /** Comes before every path of the site: the path of SEARCH_URL, without a slash at its end. */
  readonly base: string;
  /** The public address, without a slash at its end. */
  readonly siteUrl: string;
  readonly stylesheet: string;
  readonly icon: string;
  readonly countScript: string;
  /** A token that counts one view of the job. */
  readonly viewToken: (jobId: number) => string;
}

/** The path of the public address, which comes before every path of the site. */
export const basePathOf = (searchUrl: string): string => new URL(searchUrl).pathname.replace(/\/$/, '');

const OK = 200;
const NOT_MODIFIED = 304;

/** The same from `src` and from `dist`. */
const VIEWS = fileURLToPath(new URL('../../views', import.meta.url));

/** The templates in `views/`. Eta escapes every value that a template prints by `<%= %>`. */
export function createViews(site: SiteValues) {
  const eta = new Eta({ views: VIEWS, cache: true, autoEscape: true });
  return {
    send: (reply: FastifyReply, view: string, values: object): FastifyReply => {
      // Encoded once, for the hash and for the socket.
      const html = Buffer.from(eta.render(`./${view}`, { ...site, ...values }));
      reply.type('text/html; charset=utf-8');
      if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'private, no-cache');
      if (reply.statusCode !== OK) return reply.send(html);
      const tag = `"${hash('sha256', html, 'base64url').slice(0, 22)}"`;
      reply.header('ETag', tag);
      return noneMatchHits(reply.request.headers['if-none-match'], tag)
        ? reply.code(NOT_MODIFIED).send()
        : reply.send(html);
    },
  };
}
