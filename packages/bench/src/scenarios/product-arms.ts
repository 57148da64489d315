import { createClient, serviceNames } from '@joblisting/e2e/harness';
import type { Arm } from '../measure/arms.ts';
import type { Seeded } from '../seed/seed.ts';
import { randomFrom } from '../seed/texts.ts';
import type { BenchCompany } from '../system/world.ts';
import { makeBodies } from './new-jobs.ts';
import { productRequests } from './product-requests.ts';

export const AT_ONCE = 32;
export const PAGE_SIZE = 50;

/** Places in the world of the company with most jobs, and of the one to compare it with. */
export const LARGE = 0;
export const SMALL = 1;

export const companyAt = ({ world }: Pick<Seeded, 'world'>, company: number): BenchCompany =>
  world.companies[company] as BenchCompany;

/** Reads of single jobs, any of all, each with the keys of its company. */
export function readsOfJobs(seeded: Seeded, connections = AT_ONCE, name = 'product'): Arm {
  const { copies, product } = seeded;
  const random = randomFrom(1);
  const requests = productRequests(seeded);
  return {
    name,
    origin: product.origin,
    connections,
    status: 200,
    serving: ['gateway', 'jobs'],
    next: () => {
      const { id, company } = copies.at(random.below(copies.total));
      return requests.of(company).get(`/v1.0/jobs/${id}`);
    },
  };
}

/** The same page again and again. `filter` is a part of the query that begins with `&`. */
export interface ListOptions {
  readonly name: string;
  readonly company: number;
  readonly filter?: string;
  readonly page?: number;
}

export const listQuery = ({ id }: BenchCompany, filter: string, page: number): string =>
  `?company.id=${id}&pageSize=${PAGE_SIZE}&page=${page}${filter}`;

const listArm = ({ product }: Seeded) => ({
  origin: product.origin,
  connections: AT_ONCE,
  status: 200,
  serving: ['gateway', 'jobs'],
});

export function readsOfList(seeded: Seeded, { name, company, filter = '', page = 1 }: ListOptions): Arm {
  const query = listQuery(companyAt(seeded, company), filter, page);
  const request = productRequests(seeded).of(company).get(`/v1.0/jobs${query}`);
  return {
    name,
    ...listArm(seeded),
    next: () => request,
  };
}

const FIRST_PAGES = 10;

/** One of the first pages of any company: hardly two at once are the same, so that each is read for itself. */
export function readsOfAnyList(seeded: Seeded, name: string, filter = ''): Arm {
  const random = randomFrom(10);
  const requests = productRequests(seeded);
  const { companies } = seeded.world;
  const next = (): string => {
    const company = random.below(companies.length);
    const { jobs } = companyAt(seeded, company);
    const pages = Math.max(1, Math.min(FIRST_PAGES, Math.floor(jobs / PAGE_SIZE)));
    const query = listQuery(companyAt(seeded, company), filter, 1 + random.below(pages));
    return requests.of(company).get(`/v1.0/jobs${query}`);
  };
  return {
    name,
    ...listArm(seeded),
    next,
  };
}

/** The last page that is full, so that it answers with as many jobs as the first. */
export async function lastFullPage(seeded: Seeded, company: number, filter = ''): Promise<number> {
  const of = companyAt(seeded, company);
  const answer = await createClient(seeded.product.origin, of.keys).get(`/jobs${listQuery(of, filter, 1)}`);
  return Math.max(1, Math.floor(Number(answer.json.paging.total) / PAGE_SIZE));
}

/** New jobs without a key or reference. The services are all that take part. */
export function posts(
  seeded: Seeded,
  { name, format, categories }: { name: string; format: 'text' | 'html'; categories: number },
): Arm {
  const requests = productRequests(seeded);
  const all = makeBodies(seeded, format, categories).map(({ company, body }) =>
    requests.of(company).post('/v1.0/jobs', body),
  );
  let turn = 0;
  return {
    name,
    origin: seeded.product.origin,
    connections: AT_ONCE,
    status: 201,
    serving: serviceNames,
    next: () => all[turn++ % all.length] as string,
  };
}
