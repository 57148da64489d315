import { randomFrom } from '@joblisting/testing';
import { createClient, serviceNames, requestsTo } from '@joblisting/testing/system';
import type { Variant } from '../measure/variants.ts';
import { hasCategories, postBody } from '../seed/bodies.ts';
import type { Seeded } from '../seed/seed.ts';
import type { BenchCompany } from '../system/world.ts';

export const AT_ONCE = 32;
const PAGE_SIZE = 50;
const FIRST_PAGES = 10;

/** Indexes of the company with the most jobs, and of the one that it is compared with. */
export const LARGE = 0;
export const SMALL = 1;

export const companyAt = ({ world }: Pick<Seeded, 'world'>, company: number): BenchCompany =>
  world.companies[company] as BenchCompany;

/** Writes requests of a company, given by its index. */
export function requestsOfCompanies({ product, world }: Pick<Seeded, 'product' | 'world'>) {
  const all = world.companies.map(({ keys }) => requestsTo(product.origin, keys));
  return (company: number) => all[company] as ReturnType<typeof requestsTo>;
}

const read = ({ product }: Seeded, connections = AT_ONCE) => ({
  origin: product.origin,
  connections,
  status: 200,
  serving: ['gateway', 'jobs'],
});

/** All services take part in a write. */
const write = ({ product }: Seeded, connections = AT_ONCE) => ({
  origin: product.origin,
  connections,
  serving: serviceNames,
});

/** Reads any job, with the keys of its company. */
export function getJobs(seeded: Seeded, connections?: number, name = 'product'): Variant {
  const random = randomFrom(1);
  const of = requestsOfCompanies(seeded);
  const next = (): string => {
    const { id, company } = seeded.copies.at(random.below(seeded.copies.total));
    return of(company).get(`/v1.0/jobs/${id}`);
  };
  return { name, ...read(seeded, connections), next };
}

export interface ListOptions {
  readonly name: string;
  readonly company: number;
  readonly page?: number;
  readonly connections?: number;
}

export const listQuery = ({ id }: BenchCompany, page: number): string =>
  `?company.id=${id}&pageSize=${PAGE_SIZE}&page=${page}`;

/** Reads the same page every time. */
export function getPage(seeded: Seeded, { name, company, page = 1, connections }: ListOptions): Variant {
  const query = listQuery(companyAt(seeded, company), page);
  const request = requestsOfCompanies(seeded)(company).get(`/v1.0/jobs${query}`);
  return { name, ...read(seeded, connections), next: () => request };
}

/** Reads one of the first pages of any company, so that simultaneous requests are rarely the same. */
export function getAnyPage(seeded: Seeded, name: string): Variant {
  const random = randomFrom(10);
  const of = requestsOfCompanies(seeded);
  const next = (): string => {
    const company = random.below(seeded.world.companies.length);
    const { jobs } = companyAt(seeded, company);
    const pages = Math.max(1, Math.min(FIRST_PAGES, Math.floor(jobs / PAGE_SIZE)));
    return of(company).get(`/v1.0/jobs${listQuery(companyAt(seeded, company), 1 + random.below(pages))}`);
  };
  return { name, ...read(seeded), next };
}

/** The last full page, which has as many jobs as the first. */
export async function lastFullPage(seeded: Seeded, company: number): Promise<number> {
  const of = companyAt(seeded, company);
  const answer = await createClient(seeded.product.origin, of.keys).get(`/jobs${listQuery(of, 1)}`);
  return Math.max(1, Math.floor(Number(answer.json.paging.total) / PAGE_SIZE));
}

/** Changes titles of jobs that have categories, or have none. */
export function putTitles(seeded: Seeded, name: string, withCategories: boolean): Variant {
  const of = requestsOfCompanies(seeded);
  const nextChange = titleChanges(seeded, withCategories);
  const next = (): string => {
    const { id, company, body } = nextChange();
    return of(company).put(`/v1.0/jobs/${id}`, body);
  };
  return { name, ...write(seeded), status: 200, next };
}

export function titleChanges({ copies }: Pick<Seeded, 'copies'>, withCategories: boolean) {
  const random = randomFrom(5);
  return () => {
    let copy;
    do copy = copies.at(random.below(copies.total));
    while (hasCategories(copy.template) !== withCategories);
    return { ...copy, body: JSON.stringify({ title: `Title ${random.below(1_000_000)}` }) };
  };
}

export interface PostOptions {
  readonly name: string;
  readonly format?: 'text' | 'html';
  /** How many system categories each job has. */
  readonly categories?: number;
  readonly connections?: number;
}

/** Creates jobs without an idempotency key or reference. */
export function postJobs(seeded: Seeded, options: PostOptions): Variant {
  const { name, format = 'text', categories = 0, connections } = options;
  const of = requestsOfCompanies(seeded);
  const all = newJobs(seeded, format, categories).map(({ company, body }) =>
    of(company).post('/v1.0/jobs', body),
  );
  let turn = 0;
  return {
    name,
    ...write(seeded, connections),
    status: 201,
    next: () => all[turn++ % all.length] as string,
  };
}

/** Created in advance, so that the load does not pay for it. */
const BODIES = 400;
/** System categories have ids from 1. A job gets one of each half. */
const HALF_OF_CATEGORIES = 11;

/** Bodies of new jobs. Larger companies get more of them, and the small company of the lists gets none. */
export function newJobs(
  seeded: Pick<Seeded, 'world' | 'copies'>,
  format: 'text' | 'html',
  categories: number,
) {
  const random = randomFrom(categories);
  return Array.from({ length: BODIES }, () => {
    const { company: chosen } = seeded.copies.at(random.below(seeded.copies.total));
    const company = chosen === SMALL ? LARGE : chosen;
    const categoryIds = Array.from(
      { length: categories },
      (_, index) => 1 + index * HALF_OF_CATEGORIES + random.below(HALF_OF_CATEGORIES),
    );
    const { id: companyId } = companyAt(seeded, company);
    const options = { companyId, format, publishInDays: -1, closeInDays: 30, categoryIds };
    return { company, body: JSON.stringify(postBody(random, options)) };
  });
}
