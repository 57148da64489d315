import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseOf } from '@joblisting/service-kit';
import type { Criteria } from '../src/domain/search.ts';
import { searchStore } from '../src/store/search-store.ts';
import { publicJob, runSite, type RunningSite, START } from './running-site.ts';

interface ProfiledQuery {
  readonly planSummary: string;
  readonly docsExamined: number;
  readonly hasSortStage?: boolean;
}

const MANY = 300;
const LIMIT = 21;
const everything = { words: [], places: [] };

let site: RunningSite;
beforeAll(async () => {
  site = await runSite();
  await site.publish(publicJob(1));
  const postings = site.mongo.collection<{ _id: number }>('postings');
  const posting = await postings.findOne({ _id: 1 });
  await postings.insertMany(Array.from({ length: MANY }, (_, index) => ({ ...posting, _id: index + 2 })));
});
afterAll(() => site.stop());

/** What the database's profiler recorded of the searches. */
async function profile(run: () => Promise<unknown>): Promise<ProfiledQuery[]> {
  const database = databaseOf(site.mongo);
  await database.command({ profile: 2 });
  await run();
  await database.command({ profile: 0 });
  const profiled = database.collection<ProfiledQuery>('system.profile');
  const queries = await profiled.find({ 'command.aggregate': 'postings' }).toArray();
  await profiled.drop();
  return queries;
}

describe('a page of a search reads an index in its order, and little more than it shows', () => {
  it.each<[string, Criteria, string]>([
    ['the newest', everything, 'displayDate'],
    ['of a place', { ...everything, places: ['leeds'] }, 'placeKeys'],
    ['of a category', { ...everything, category: 'skilled trades' }, 'categoryKeys'],
    ['of a type', { ...everything, typeId: 1 }, 'types.id'],
    ['of an employer', { ...everything, employer: 'company 1' }, 'employerKey'],
    ['of a company', { ...everything, companyId: 1 }, 'companyId'],
  ])('%s', async (_what, criteria, field) => {
    const store = searchStore(site.mongo);
    const queries = await profile(() => store.find(criteria, { limit: LIMIT }, Date.parse(START)));
    expect(queries).toHaveLength(1);
    expect(queries[0]?.planSummary).toContain(`IXSCAN { ${field}: `);
    expect(queries[0]?.docsExamined).toBeLessThanOrEqual(LIMIT);
    expect(queries[0]?.hasSortStage).not.toBe(true);
  });
});

describe('a search reads only what its index finds', () => {
  it.each<[string, Criteria]>([
    ['words', { ...everything, words: ['nowhere'] }],
    ['a place', { ...everything, places: ['nowhere'] }],
    ['a company', { ...everything, companyId: 9 }],
  ])('%s', async (_what, criteria) => {
    const store = searchStore(site.mongo);
    const queries = await profile(async () => {
      await store.find(criteria, { limit: LIMIT }, Date.parse(START));
      await store.overview(criteria, Date.parse(START));
    });
    expect(queries).toHaveLength(2);
    for (const { docsExamined, planSummary } of queries) {
      expect(planSummary).toMatch(/IXSCAN|TEXT/);
      expect(docsExamined).toBe(0);
    }
  });
});
