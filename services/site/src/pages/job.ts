import type { FastifyInstance } from 'fastify';
import { jobPosting, scriptJson } from '../domain/json-ld.ts';
import { siteUrlOf } from '../domain/feed-posting.ts';
import type { ServerContext } from './context.ts';
import type { Views } from './views.ts';

const MAX_INT32 = 2 ** 31 - 1;

/** `GET /Share/Job{id}`: where the short link of a job leads. */
export function serveJobPage(
  server: FastifyInstance,
  { postings, clock, config }: ServerContext,
  views: Views,
): void {
  server.get<{ Params: { id: string } }>('/Share/Job:id(^\\d{1,10}$)', async (request, reply) => {
    const id = Number(request.params.id);
    const posting = id <= MAX_INT32 ? await postings.find(id) : null;
    if (posting === null || posting.state === 'hidden') return reply.callNotFound();
    if (posting.state === 'deleted') {
      const text = 'The employer has removed this job.';
      return views.send(reply.code(410), 'message', { title: 'This job is gone', text });
    }
    const isClosed =
      posting.state === 'closed' || (posting.closesAt !== null && posting.closesAt.getTime() <= clock.now());
    const jsonLd = isClosed ? undefined : scriptJson(jobPosting(posting, siteUrlOf(config.SEARCH_URL)));
    return views.send(reply, 'job', { posting, isClosed, jsonLd });
  });
}
