import type { StatusId } from '@joblisting/contracts';
import { beforeAll } from '@jest/globals';
import type { Mongo } from '@joblisting/service-kit';
import { countLists } from '../src/background/count-lists.ts';
import { listCounting } from '../src/store/list-counting.ts';
import { listRecount } from '../src/store/list-recount.ts';
import { listStore, type Page, type PageRequest } from '../src/store/list-store.ts';
import { jobsDatabase } from './jobs-database.ts';
import type { Stored } from './stored-jobs.ts';

/** Before any transition has come. */
const NOW = 0;

export const neverStopping: AbortSignal = new AbortController().signal;

const countingBy = (mongo: Mongo) =>
  countLists({
    counting: listCounting(mongo),
    recount: listRecount(mongo),
    isDue: async () => false,
    stopping: neverStopping,
  });

/** A database of jobs for the tests of one file, and what counts and lists them. */
export function countedLists(name: string) {
  const { mongo, connect } = jobsDatabase(name);
  let countAll: ReturnType<typeof countingBy>;

  beforeAll(async () => {
    await listRecount(mongo()).prepare();
    countAll = countingBy(mongo());
  });

  async function pageOf(request: PageRequest): Promise<Page> {
    const page = await listStore(mongo()).page(request, NOW);
    if (!page) throw new Error('a transition has come that nobody has stored');
    return page;
  }

  return {
    mongo,
    connect,
    jobs: () => mongo().collection<Stored>('jobs'),
    countingBy,
    countAll: async (): Promise<void> => void (await countAll()),
    pageOf,
    total: async (companyId: number, statusId?: StatusId) =>
      (await pageOf({ companyId, statusId, page: 1, pageSize: 1 })).total,
  };
}
