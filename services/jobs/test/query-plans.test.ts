import { beforeAll, describe, expect, it } from '@jest/globals';
import { databaseOf } from '@joblisting/service-kit';
import { dueStore } from '../src/store/due-store.ts';
import { headerStore } from '../src/store/header-store.ts';
import { jobStore } from '../src/store/job-store.ts';
import { linkStore } from '../src/store/link-store.ts';
import { tombstoneStore } from '../src/store/tombstone-store.ts';
import { jobsDatabase } from './jobs-database.ts';

interface ProfiledQuery {
  readonly ns: string;
  readonly command: { readonly filter: object };
  readonly docsExamined: number;
  readonly keysExamined: number;
}

const MANY = 300;
const NOW = Date.UTC(2026, 0, 1);
const { mongo } = jobsDatabase('query-plans');

/** Jobs and tombstones for which nothing is left to do. */
beforeAll(async () => {
  const ids = Array.from({ length: MANY }, (_, index) => index + 1);
  const later = new Date(NOW + 1);
  await mongo()
    .collection<{ _id: number }>('jobs')
    .insertMany(ids.map((_id) => ({ _id, companyId: 1, version: 1, nextTransitionAt: later })));
  await mongo()
    .collection<{ _id: number }>('tombstones')
    .insertMany(ids.map((_id) => ({ _id, companyId: 1, deletedAt: new Date(NOW) })));
});

/** What the database's profiler recorded of the queries. */
async function profile(run: () => Promise<unknown>): Promise<ProfiledQuery[]> {
  const database = databaseOf(mongo());
  await database.command({ profile: 2 });
  await run();
  await database.command({ profile: 0 });
  const queries = await database.collection<ProfiledQuery>('system.profile').find({ op: 'query' }).toArray();
  await database.collection('system.profile').drop();
  return queries;
}

describe('the query of a task reads no document that needs nothing', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['due transitions', () => dueStore(mongo()).dueCompany(NOW)],
    ['pending links', () => linkStore(mongo(), jobStore(mongo()), { now: Date.now }).pending(0, 10)],
    ['headers after the last job', () => headerStore(mongo()).read({ companyId: 1, after: MANY, limit: 10 })],
    ['tombstones to clean up', () => tombstoneStore(mongo()).uncleaned(10)],
  ])('%s', async (_what, run) => {
    const queries = await profile(run);
    expect(queries.length).toBeGreaterThan(0);
    for (const { docsExamined, keysExamined } of queries) {
      expect(docsExamined).toBeLessThanOrEqual(1);
      expect(keysExamined).toBeLessThanOrEqual(1);
    }
  });
});
