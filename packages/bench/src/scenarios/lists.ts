import { createClient } from '@joblisting/e2e/harness';
import { startPaced } from '../load/paced.ts';
import { requestsTo } from '../load/requests.ts';
import type { Arm } from '../measure/arms.ts';
import { atMost, ratio } from '../measure/goals.ts';
import type { Findings } from '../measure/result.ts';
import { hasCategories } from '../seed/bodies.ts';
import { randomFrom } from '../seed/texts.ts';
import type { BenchCompany } from '../system/world.ts';
import { productRequests } from './product-requests.ts';
import type { Bench, Scenario } from './scenario.ts';
import { AT_ONCE, PLAIN, sideBySide } from './side-by-side.ts';

const LARGE = 0;
const SMALL = 1;
const PAGE_SIZE = 50;
const WRITE_EVERY_MS = 10;

const companyAt = ({ seeded }: Bench, company: number): BenchCompany =>
  seeded.world.companies[company] as BenchCompany;

const queryOf = ({ id }: BenchCompany, filter: string, page: number): string =>
  `?company.id=${id}&pageSize=${PAGE_SIZE}&page=${page}${filter}`;

function plainList({ plainBus, ...bench }: Bench, company: number, filter: string): Arm {
  const { get } = requestsTo(plainBus.origin);
  const path = `/jobs${queryOf(companyAt({ plainBus, ...bench }, company), filter, 1)}`;
  const common = { origin: plainBus.origin, connections: AT_ONCE, status: 200, serving: PLAIN };
  return { ...common, name: 'plain bus, small company', next: () => get(path) };
}

function list(bench: Bench, name: string, company: number, filter: string, page = 1): Arm {
  const { get } = productRequests(bench.seeded).of(company);
  const request = get(`/v1.0/jobs${queryOf(companyAt(bench, company), filter, page)}`);
  return {
    name,
    origin: bench.seeded.product.origin,
    connections: AT_ONCE,
    status: 200,
    serving: ['gateway', 'jobs'],
    next: () => request,
  };
}

/** The last page that is full, so that all arms answer with as many jobs. */
async function lastPage(bench: Bench, company: number, filter: string): Promise<number> {
  const { keys, ...of } = companyAt(bench, company);
  const answer = await createClient(bench.seeded.product.origin, keys).get(
    `/jobs${queryOf({ keys, ...of }, filter, 1)}`,
  );
  return Math.max(1, Math.floor(Number(answer.json.paging.total) / PAGE_SIZE));
}

/** Page 1 of a small company against the plain bus, and against pages of the largest company. */
async function pages(bench: Bench, filter: string): Promise<Findings> {
  const last = await lastPage(bench, LARGE, filter);
  const arms = await sideBySide(bench, [
    plainList(bench, SMALL, filter),
    list(bench, 'small company', SMALL, filter),
    list(bench, 'large company, page 1', LARGE, filter),
    list(bench, `large company, page ${last}`, LARGE, filter, last),
  ]);
  const [plain, small, first, deep] = arms;
  return {
    arms,
    goals: [
      atMost('CPU of gateway + service', ratio(small.services, plain.services), 0.8),
      atMost('large to small company, page 1, CPU of mongod', ratio(first.mongod, small.mongod), 1.3),
      atMost('large to small company, page 1, p50', ratio(first.p50, small.p50), 1.3),
      atMost('last page to page 1, CPU of mongod', ratio(deep.mongod, first.mongod), 1.5),
      atMost('last page to page 1, p50', ratio(deep.p50, first.p50), 1.5),
    ],
  };
}

export const lists: Scenario = { name: 'list', run: (bench) => pages(bench, '') };

export const listsByStatus: Scenario = { name: 'list-status', run: (bench) => pages(bench, '&status.id=2') };

/** Each company is written to a hundred times a second while its list is read. */
function writtenTo(bench: Bench, name: string, company: number): Arm {
  const { copies, product, templates } = bench.seeded;
  const random = randomFrom(company);
  const { put } = productRequests(bench.seeded).of(company);
  const { jobs } = companyAt(bench, company);
  const next = (): string => {
    // Jobs without categories: their changes are the jobs service's own.
    let id: number;
    do id = copies.idOf(company, random.below(jobs));
    while (hasCategories((id - copies.idOf(0, 0)) % templates.length));
    return put(`/v1.0/jobs/${id}`, JSON.stringify({ title: `Title ${random.below(1_000_000)}` }));
  };
  return {
    ...list(bench, name, company, ''),
    meanwhile: () => startPaced({ origin: product.origin, everyMs: WRITE_EVERY_MS, next }),
  };
}

export const listsWrittenTo: Scenario = {
  name: 'list-written',
  run: async (bench) => {
    const arms = await sideBySide(bench, [
      writtenTo(bench, 'small company, written to', SMALL),
      writtenTo(bench, 'large company, written to', LARGE),
    ]);
    const [small, large] = arms;
    return {
      arms,
      goals: [
        atMost('large to small company, CPU of mongod', ratio(large.mongod, small.mongod), 1.3),
        atMost('large to small company, p50', ratio(large.p50, small.p50), 1.3),
      ],
    };
  },
};
