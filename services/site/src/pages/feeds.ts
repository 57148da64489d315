import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { indeedEnd, indeedJob, indeedStart } from '../domain/feed-indeed.ts';
import {
  jsonFeedEnd,
  jsonFeedItem,
  jsonFeedStart,
  readPosition,
  writePosition,
} from '../domain/feed-json.ts';
import { siteUrlOf } from '../domain/feed-posting.ts';
import type { FeedSelection, FeedState } from '../store/feed-store.ts';
import type { ServerContext } from './context.ts';
import { changeOf, type StreamReplies } from './stream-reply.ts';

const SITE_NAME = 'Job search';
const MAX_INT32 = 2 ** 31 - 1;
const ITEMS_PER_PAGE = 100;

/** `/feed/indeed.xml`, `/companies/{id}/indeed.xml` and `/feed.json`: all open jobs, newest first. */
export function serveFeeds(
  server: FastifyInstance,
  { feeds, clock, config }: ServerContext,
  sendStream: StreamReplies,
): void {
  const siteUrl = siteUrlOf(config.SEARCH_URL);

  async function* indeedFeed(selection: FeedSelection, state: FeedState | undefined) {
    const changedAt = state ? changeOf(state) : new Date(selection.now);
    yield indeedStart({ publisher: SITE_NAME, siteUrl, changedAt });
    for await (const posting of feeds.read(selection)) yield indeedJob(posting, siteUrl);
    yield indeedEnd;
  }

  const sendIndeed = (
    request: FastifyRequest,
    reply: FastifyReply,
    selection: FeedSelection,
    state: FeedState | undefined,
  ) =>
    sendStream(request, reply, {
      type: 'application/xml; charset=utf-8',
      state,
      read: () => indeedFeed(selection, state),
    });

  async function* jsonFeed(selection: FeedSelection) {
    yield jsonFeedStart(SITE_NAME, siteUrl, `${siteUrl}/feed.json`);
    let count = 0;
    let last: string | undefined;
    for await (const posting of feeds.read({ ...selection, limit: ITEMS_PER_PAGE + 1 })) {
      count += 1;
      if (count > ITEMS_PER_PAGE) break;
      yield (count > 1 ? ',' : '') + jsonFeedItem(posting, siteUrl);
      last = writePosition({ displayDate: posting.displayDate, id: posting._id });
    }
    const hasMore = count > ITEMS_PER_PAGE && last !== undefined;
    yield jsonFeedEnd(hasMore ? `${siteUrl}/feed.json?after=${last}` : undefined);
  }

  server.get('/feed/indeed.xml', async (request, reply) => {
    const now = clock.now();
    return sendIndeed(request, reply, { now }, await feeds.readState(now));
  });

  server.get<{ Params: { id: string } }>('/companies/:id(^\\d{1,10}$)/indeed.xml', async (request, reply) => {
    const now = clock.now();
    const companyId = Number(request.params.id);
    const state = companyId <= MAX_INT32 ? await feeds.readState(now, companyId) : undefined;
    if (!state) return reply.callNotFound();
    return sendIndeed(request, reply, { now, companyId }, state);
  });

  server.get<{ Querystring: { after?: string | string[] } }>('/feed.json', async (request, reply) => {
    const { after: text } = request.query;
    const after = text === undefined ? undefined : readPosition(String(text));
    if (text !== undefined && !after) return reply.callNotFound();
    const now = clock.now();
    return sendStream(request, reply, {
      type: 'application/feed+json; charset=utf-8',
      state: await feeds.readState(now),
      read: () => jsonFeed({ now, after }),
    });
  });
}
