import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { countryName } from '../domain/places.ts';
import {
  type Criteria,
  criteriaOf,
  readSearch,
  type Search,
  searchFields,
  searchPath,
} from '../domain/search.ts';
import { COUNTED, type FacetCount, type Overview, type SearchStore } from '../store/search-store.ts';
import type { ServerContext } from './context.ts';
import { listedJob, pageOf, rangeOf } from './listing.ts';
import type { Views } from './views.ts';

const OVERVIEWS = 500;
const OVERVIEW_MS = 5000;

const chipLabels = { q: '', where: 'in ', category: '', type: '', employer: 'at ' } as const;
const number = new Intl.NumberFormat('en');

/** `GET /`: searches, or shows the newest jobs. */
export function serveSearch(server: FastifyInstance, { searches, clock }: ServerContext, views: Views): void {
  const overviewOf = cachedOverviews(searches);
  server.get<{ Querystring: Record<string, unknown> }>('/', async ({ query }, reply) => {
    const search = readSearch(query);
    if ('problem' in search) {
      const values = { title: 'This search cannot be run', text: search.problem };
      return views.send(reply.code(400), 'message', values);
    }
    const now = clock.now();
    const criteria = criteriaOf(search);
    const [found, overview] = criteria
      ? await Promise.all([searches.find(criteria, rangeOf(search.page), now), overviewOf({ criteria, now })])
      : [[], undefined];
    const { shown, pager } = pageOf(found, search.page, (page) => searchPath({ ...search, page }));
    const chosen = searchFields.filter((field) => search[field] !== undefined);
    return views.send(reply, 'search', {
      search,
      pager,
      jobs: shown.map((posting) => listedJob(posting, now)),
      total: shownTotal(overview?.total ?? 0),
      isOne: overview?.total === 1,
      chips: chosen.map((field) => ({
        text: `${chipLabels[field]}${search[field]}`,
        path: searchPath({ ...search, [field]: undefined, page: 1 }),
      })),
      facets: overview ? facetsOf(search, overview) : [],
      firstPage: searchPath({ ...search, page: 1 }),
    });
  });
}

/** Counts cost more than a page and may be some seconds old. Searches for the same at one time share them. */
function cachedOverviews(searches: SearchStore) {
  type Context = { readonly criteria: Criteria; readonly now: number };
  const cache = new LRUCache<string, Overview, Context>({
    max: OVERVIEWS,
    ttl: OVERVIEW_MS,
    fetchMethod: (_key, _stale, { context }) => searches.overview(context.criteria, context.now),
  });
  return (context: Context) => cache.fetch(JSON.stringify(context.criteria), { context });
}

const shownTotal = (total: number): string =>
  total > COUNTED ? `${number.format(COUNTED)}+` : number.format(total);

/** What would narrow the search. A value that all jobs have would not. */
function facetsOf(search: Search, overview: Overview) {
  const { total, category, type, employer, province, country } = overview;
  const suffix = total > COUNTED ? '+' : '';
  const facet = (
    title: string,
    values: readonly FacetCount[],
    choose: (value: string) => Partial<Search>,
  ) => ({
    title,
    values: values
      .filter(({ count }) => count < total)
      .map(({ value, count }) => ({
        text: value,
        count: `${number.format(count)}${suffix}`,
        path: searchPath({ ...search, ...choose(value), page: 1 }),
      })),
  });
  const within = (name: string) => ({ where: search.where ? `${search.where}, ${name}` : name });
  const countries = country.map(({ value, count }) => ({ value: countryName(value), count }));
  return [
    facet('Category', search.category ? [] : category, (value) => ({ category: value })),
    facet('Type', search.type ? [] : type, (value) => ({ type: value })),
    facet('Employer', search.employer ? [] : employer, (value) => ({ employer: value })),
    facet('Country', countries, within),
    facet('Region', province, within),
  ].filter(({ values }) => values.length > 0);
}
