import { INT32_MAX } from '@joblisting/contracts';
import type { FastifyRequest } from 'fastify';
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
import { changeOf, type ServeStream } from './stream-reply.ts';

const ITEMS_PER_PAGE = 100;

/** `/feed/indeed.xml`, `/companies/{id}/indeed.xml` and `/feed.json`: open jobs, newest first. */
export function serveFeeds({ feeds, clock, config }: ServerContext, serve: ServeStream): void {
  const siteUrl = siteUrlOf(config.SEARCH_URL);

  async function* indeedFeed(selection: FeedSelection, state: FeedState | undefined) {
    const changedAt = state ? changeOf(state) : new Date(selection.now);
    yield indeedStart({ publisher: config.SITE_NAME, siteUrl, changedAt });
    for await (const posting of feeds.read(selection)) yield indeedJob(posting, siteUrl);
    yield indeedEnd;
  }

  const indeedReply = (selection: FeedSelection, state: FeedState | undefined) => ({
    type: 'application/xml; charset=utf-8',
    state,
    read: () => indeedFeed(selection, state),
  });

  async function* jsonFeed(selection: FeedSelection) {
    yield jsonFeedStart(config.SITE_NAME, siteUrl, `${siteUrl}/feed.json`);
    let count = 0;
    let nextUrl: string | undefined;
    let position = '';
    for await (const posting of feeds.read({ ...selection, limit: ITEMS_PER_PAGE + 1 })) {
      count += 1;
      if (count > ITEMS_PER_PAGE) nextUrl = `${siteUrl}/feed.json?after=${position}`;
      else yield (count > 1 ? ',' : '') + jsonFeedItem(posting, siteUrl);
      position = writePosition({ displayDate: posting.displayDate, id: posting._id });
    }
    yield jsonFeedEnd(nextUrl);
  }

  serve('/feed/indeed.xml', async () => {
    const now = clock.now();
    return indeedReply({ now }, await feeds.readState(now));
  });

  serve('/companies/:id(^\\d{1,10}$)/indeed.xml', async ({ params }) => {
    const now = clock.now();
    const companyId = Number((params as { id: string }).id);
    const state = companyId <= INT32_MAX ? await feeds.readState(now, companyId) : undefined;
    return state && indeedReply({ now, companyId }, state);
  });

  serve('/feed.json', async (request) => {
    const text = afterOf(request);
    const after = text === undefined ? undefined : readPosition(text);
    if (text !== undefined && !after) return undefined;
    const now = clock.now();
    const type = 'application/feed+json; charset=utf-8';
    return { type, state: await feeds.readState(now), read: () => jsonFeed({ now, after }) };
  });
}

function afterOf({ query }: FastifyRequest): string | undefined {
  const { after } = query as { after?: string | string[] };
  return after === undefined ? undefined : String(after);
}
