import { INT32_MAX } from '@joblisting/contracts';
import type { FastifyInstance } from 'fastify';
import { siteUrlOf } from '../domain/feed-posting.ts';
import { readPage } from '../domain/search.ts';
import type { ServerContext } from './context.ts';
import { listedJob, pageOf, rangeOf } from './listing.ts';
import type { Views } from './views.ts';

/** `GET /companies/{id}`: the open jobs of a company, newest first. */
export function serveCompany(
  server: FastifyInstance,
  { searches, clock, config }: ServerContext,
  views: Views,
): void {
  type Route = { Params: { id: string }; Querystring: Record<string, unknown> };
  server.get<Route>('/companies/:id(^\\d{1,10}$)', async ({ params, query }, reply) => {
    const id = Number(params.id);
    const path = `/companies/${id}`;
    const page = readPage(query);
    if (typeof page !== 'number') {
      const values = { title: 'This page cannot be shown', text: page.problem };
      return views.send(reply.code(400), 'message', values);
    }
    const name = id <= INT32_MAX ? await searches.companyName(id) : undefined;
    if (name === undefined) return reply.callNotFound();
    const now = clock.now();
    const found = await searches.find({ words: [], places: [], companyId: id }, rangeOf(page), now);
    const { shown, pager } = pageOf(found, page, (next) => (next === 1 ? path : `${path}?page=${next}`));
    return views.send(reply, 'company', {
      name,
      path,
      pager,
      canonical: siteUrlOf(config.SEARCH_URL) + path,
      jobs: shown.map((posting) => listedJob(posting, now)),
      firstPage: path,
    });
  });
}
