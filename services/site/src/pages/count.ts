import { routing } from '@joblisting/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { randomId } from '../domain/tokens.ts';
import type { ReportedEvent } from '../store/report-store.ts';
import type { ServerContext } from './context.ts';
import { logLevelOf } from './errors.ts';
import { findPosting, JOB_PAGE } from './find-posting.ts';
import { basePathOf } from './views.ts';
import { isByPerson, isFromOtherSite, visitorOf } from './visitor.ts';

/** A transparent pixel. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const TOKEN_BYTES = 256;

/** `full`: the outbox takes no more, so it does not count. */
type Outcome = 'done' | 'full';

/** Counts views, by script or by image, and click-throughs. No answer says whether something counted, or why not. */
export function serveCounting(server: FastifyInstance, context: ServerContext): void {
  const { tokens, visits, reports, clock, config, log, onReportRefused } = context;
  const base = basePathOf(config.SEARCH_URL);

  /** Stores an event to report, if a person caused it on a page of this site and it is no repetition. */
  const count = async (request: FastifyRequest, event: ReportedEvent): Promise<Outcome> => {
    if (!isByPerson(request) || isFromOtherSite(request, config.SEARCH_URL)) return 'done';
    if (!(await visits.claim(visitorOf(request), event))) return 'done';
    if (await reports.add(event)) return 'done';
    onReportRefused();
    return 'full';
  };

  const countView = async (request: FastifyRequest, token: string): Promise<Outcome> => {
    const now = clock.now();
    const view = tokens.readView(token, now);
    if (view === undefined) return 'done';
    const found = await findPosting(context, view.jobId);
    if (found?.state !== 'open') return 'done';
    return count(request, { id: view.eventId, jobId: view.jobId, type: 'view', at: now });
  };

  server.post(
    '/count',
    {
      bodyLimit: TOKEN_BYTES,
      errorHandler: (err, _request, reply) => {
        const isOurs = (err.statusCode ?? 500) >= 500;
        if (isOurs) log[logLevelOf(err)]({ err }, 'a view could not be counted');
        void reply.code(isOurs ? 503 : 204).send();
      },
    },
    async (request, reply) => {
      const token = typeof request.body === 'string' ? request.body : '';
      const outcome = await countView(request, token);
      return reply.code(outcome === 'full' ? 503 : 204).send();
    },
  );

  server.get<{ Params: { file: string } }>('/count/:file', async (request, reply) => {
    const { file } = request.params;
    if (!file.endsWith('.gif')) return reply.callNotFound();
    await countView(request, file.slice(0, -'.gif'.length));
    return reply.header('Cache-Control', 'no-store').type('image/gif').send(GIF);
  });

  server.get<{ Params: { id: string } }>(`${JOB_PAGE}/out`, async (request, reply) => {
    const jobId = Number(request.params.id);
    const found = await findPosting(context, jobId);
    if (found === undefined) return reply.callNotFound();
    const { posting, state } = found;
    reply.headers({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' });
    const isOpen = state === 'open' && posting.routingId === routing.clickThrough;
    if (!isOpen || posting.applicationUrl === null) return reply.redirect(`${base}/Share/Job${jobId}`, 302);
    const event = { id: `click:${randomId()}`, jobId, type: 'clickThrough', at: clock.now() } as const;
    // The applicant goes on even if it cannot be counted.
    await count(request, event).catch((err: unknown) =>
      log[logLevelOf(err)]({ err, jobId }, 'a click-through could not be counted'),
    );
    return reply.redirect(new URL(posting.applicationUrl).href, 302);
  });
}
