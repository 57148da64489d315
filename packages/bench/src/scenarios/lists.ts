import { startPaced } from '../load/paced.ts';
import type { Arm } from '../measure/arms.ts';
import { atMost, ratio } from '../measure/goals.ts';
import type { Findings } from '../measure/result.ts';
import { hasCategories } from '../seed/bodies.ts';
import { randomFrom } from '../seed/texts.ts';
import { plainReadsOfList } from './plain-arms.ts';
import { companyAt, LARGE, lastFullPage, readsOfAnyList, readsOfList, SMALL } from './product-arms.ts';
import { productRequests } from './product-requests.ts';
import type { Bench, Scenario } from './scenario.ts';
import { sideBySide } from './side-by-side.ts';

const WRITE_EVERY_MS = 10;
const CLOSED = '&status.id=2';

/** Page 1 of a small company against the plain bus, and against pages of the largest company. */
async function pages(bench: Bench, filter: string): Promise<Findings> {
  const { seeded } = bench;
  const page = await lastFullPage(seeded, LARGE, filter);
  const arms = await sideBySide(bench, [
    plainReadsOfList(bench, SMALL, filter),
    readsOfList(seeded, { name: 'small company', company: SMALL, filter }),
    readsOfList(seeded, { name: 'large company, page 1', company: LARGE, filter }),
    readsOfList(seeded, { name: `large company, page ${page}`, company: LARGE, filter, page }),
    readsOfAnyList(seeded, 'any company, pages 1 to 10', filter),
  ]);
  const [plain, small, first, last] = arms;
  return {
    arms,
    goals: [
      atMost('CPU of gateway + service', ratio(small.services, plain.services), 0.8),
      atMost('large to small company, page 1, CPU of mongod', ratio(first.mongod, small.mongod), 1.3),
      atMost('large to small company, page 1, p50', ratio(first.p50, small.p50), 1.3),
      atMost('last page to page 1, CPU of mongod', ratio(last.mongod, first.mongod), 1.5),
      atMost('last page to page 1, p50', ratio(last.p50, first.p50), 1.5),
    ],
  };
}

export const lists: Scenario = { name: 'list', run: (bench) => pages(bench, '') };

export const listsByStatus: Scenario = { name: 'list-status', run: (bench) => pages(bench, CLOSED) };

/** The company is written to a hundred times a second while its list is read. */
function writtenTo({ seeded }: Bench, name: string, company: number): Arm {
  const { copies, product, templates } = seeded;
  const random = randomFrom(company);
  const { put } = productRequests(seeded).of(company);
  const { jobs } = companyAt(seeded, company);
  const first = copies.idOf(0, 0);
  const next = (): string => {
    let id: number;
    // Changes of jobs without categories are the jobs service's own.
    do id = copies.idOf(company, random.below(jobs));
    while (hasCategories((id - first) % templates.length));
    return put(`/v1.0/jobs/${id}`, JSON.stringify({ title: `Title ${random.below(1_000_000)}` }));
  };
  return {
    ...readsOfList(seeded, { name, company }),
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
