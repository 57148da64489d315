import { routing } from '@joblisting/contracts';
import type { Log } from '@joblisting/service-kit';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { showDate, showInstant } from '../domain/dates.ts';
import { pageUrl, siteUrlOf } from '../domain/feed-posting.ts';
import { jobPosting, scriptJson } from '../domain/json-ld.ts';
import { safeMarkup } from '../domain/markup.ts';
import { countryName, placeOf } from '../domain/places.ts';
import { searchPath } from '../domain/search.ts';
import { excerpt, searchKey } from '../domain/text.ts';
import type { PostingDocument } from '../models/posting.ts';
import type { ListedPosting, SearchStore } from '../store/search-store.ts';
import type { ServerContext } from './context.ts';
import { sendGone } from './errors.ts';
import { findPosting, JOB_PAGE } from './find-posting.ts';
import { listedJob } from './listing.ts';
import type { Views } from './views.ts';

const SUMMARY_CHARACTERS = 160;
const OTHER_JOBS = 5;
const EMPLOYERS = 1000;
const OTHER_JOBS_MS = 10_000;
const MARKUP_CHARACTERS = 16 * 1024 * 1024;

/** `GET /Share/Job{id}`: where the short link of a job leads. */
export function serveJobPage(server: FastifyInstance, context: ServerContext, views: Views): void {
  const { searches, clock, config, log } = context;
  const siteUrl = siteUrlOf(config.SEARCH_URL);
  const othersOf = otherJobs(searches, log);
  const markupOf = cachedMarkup();
  server.get<{ Params: { id: string } }>(JOB_PAGE, async (request, reply) => {
    const id = Number(request.params.id);
    const now = clock.now();
    const found = await findPosting(context, id, now);
    if (found === undefined) return reply.callNotFound();
    const { posting, state } = found;
    if (state === 'deleted') return sendGone(reply, views);
    const isClosed = state === 'closed';
    const others = await othersOf(posting, now);
    return views.send(reply, 'job', {
      posting,
      isClosed,
      ...shownJob(posting, isClosed, now),
      jsonLd: isClosed ? undefined : scriptJson(jobPosting(posting, siteUrl)),
      canonical: pageUrl(siteUrl, id),
      markup: markupOf(posting),
      isClickThrough: posting.routingId === routing.clickThrough,
      others: others.map((other) => listedJob(other, now)),
    });
  });
}

function shownJob(posting: PostingDocument, isClosed: boolean, now: number) {
  const { province, categories, types, closesAt, displayDate } = posting;
  // An employer may close a job before its closing date.
  const isEarly = isClosed && closesAt !== null && closesAt.getTime() > now;
  const country = province && countryName(province.country);
  const crumbs = [
    { text: 'All jobs', path: '/' },
    ...(country === null ? [] : [{ text: country, path: searchPath({ where: country }) }]),
    ...categories.slice(0, 1).map(({ name }) => ({ text: name, path: searchPath({ category: name }) })),
  ];
  return {
    place: placeOf(posting),
    crumbs,
    categories: categories.map(({ name }) => ({ text: name, path: searchPath({ category: name }) })),
    types: types.map(({ name }) => ({ text: name, path: searchPath({ type: name }) })),
    employerPath: searchPath({ employer: posting.employer }),
    shownDate: showDate(displayDate),
    closes: closesAt && !isEarly && showInstant(closesAt, now),
    summary: excerpt(posting.plainText, SUMMARY_CHARACTERS),
  };
}

/** The newest jobs of the same employer, some seconds old at most. None if they cannot be read: the job itself can. */
function otherJobs(searches: SearchStore, log: Log) {
  type Context = { readonly criteria: Parameters<SearchStore['find']>[0]; readonly now: number };
  const cache = new LRUCache<string, ListedPosting[], Context>({
    max: EMPLOYERS,
    ttl: OTHER_JOBS_MS,
    fetchMethod: (_key, _stale, { context }) =>
      searches.find(context.criteria, { limit: OTHER_JOBS + 1 }, context.now),
  });
  return async ({ _id, companyId, employer }: PostingDocument, now: number): Promise<ListedPosting[]> => {
    const criteria = { words: [], places: [], companyId, employer: searchKey(employer) };
    const found = await cache
      .fetch(`${companyId} ${employer}`, { context: { criteria, now } })
      .catch((err: unknown): undefined => {
        log.warn({ err, jobId: _id }, 'other jobs could not be read');
      });
    return (found ?? [])
      .filter((other) => other._id !== _id && (other.closesAt === null || other.closesAt.getTime() > now))
      .slice(0, OTHER_JOBS);
  };
}

/** The description as the page shows it, made once for each version of a job. */
function cachedMarkup() {
  const cache = new LRUCache<string, string>({
    maxSize: MARKUP_CHARACTERS,
    sizeCalculation: (markup, key) => markup.length + key.length,
  });
  return ({ _id, version, description }: PostingDocument): string => {
    const key = `${_id}-${version}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const markup = safeMarkup(description);
    cache.set(key, markup);
    return markup;
  };
}
