import { beforeAll, describe, expect, it } from '@jest/globals';
import { databaseOf } from '@joblisting/service-kit';
import { dueStore } from '../src/store/due-store.ts';
import { jobStore } from '../src/store/job-store.ts';
import { linkStore } from '../src/store/link-store.ts';
import { tombstoneStore } from '../src/store/tombstone-store.ts';
import { jobsDatabase } from './jobs-database.ts';

interface Look {
  readonly ns: string;
  readonly command: { readonly filter: object };
  readonly docsExamined: number;
  readonly keysExamined: number;
}

const MANY = 300;
const NOW = Date.UTC(2026, 0, 1);
const { mongo } = jobsDatabase('looks-stored');

/** As many as a service has that is done with all of them. */
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

/** What the database did for a look. */
async function seen(look: () => Promise<unknown>): Promise<Look[]> {
  const database = databaseOf(mongo());
  await database.command({ profile: 2 });
  await look();
  await database.command({ profile: 0 });
  const looks = await database.collection<Look>('system.profile').find({ op: 'query' }).toArray();
  await database.collection('system.profile').drop();
  return looks;
}

describe('a look for what is to be done', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['transitions that have come', () => dueStore(mongo()).dueCompany(NOW)],
    ['links', () => linkStore(mongo(), jobStore(mongo()), { now: Date.now }).pending(0, 10)],
    ['deleted jobs', () => tombstoneStore(mongo()).uncleaned(10)],
  ])('of %s reads none of what is done', async (_what, look) => {
    const looks = await seen(look);
    expect(looks.length).toBeGreaterThan(0);
    for (const { docsExamined, keysExamined } of looks) {
      expect(docsExamined).toBeLessThanOrEqual(1);
      expect(keysExamined).toBeLessThanOrEqual(1);
    }
  });
});
