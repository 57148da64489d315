import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectMongo, type Mongo } from '@joblisting/service-kit';
import { databasePrefix, dropDatabase, testMongoUri, waitFor } from '@joblisting/testing';
import { allowanceStore } from '../src/bitly/allowance-store.ts';

const HOUR_MS = 3_600_000;
const HOURS = 20;
const AT_ONCE = 12;

let mongo: Mongo;
beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}allowances`);
  // As at a service's start: on a slow disk the first collection of a server takes longer than a statement may.
  const isReady = async () => {
    await allowanceStore(mongo, { budget: 0, period: 'hour' }).createIndexes();
    return true;
  };
  await waitFor(isReady, { what: 'the collection' });
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

describe('allowanceStore', () => {
  it.each([
    ['all that ask', 0, AT_ONCE],
    ['all that ask', AT_ONCE, AT_ONCE],
    ['no more than its budget to those', 5, 5],
  ])('gives %s at once at the beginning of a period: a budget of %i', async (_what, budget, expected) => {
    const allowance = allowanceStore(mongo, { budget, period: 'hour' });
    const from = Date.UTC(2026, 2, 1 + expected + budget);
    for (let hour = 0; hour < HOURS; hour++) {
      const now = from + hour * HOUR_MS;
      const spendings = await Promise.all(Array.from({ length: AT_ONCE }, () => allowance.spend(now)));
      expect(spendings.filter((spending) => 'granted' in spending)).toHaveLength(expected);
      const _id = new Date(now).toISOString().slice(0, 13);
      expect(await mongo.collection<{ _id: string }>('allowances').findOne({ _id })).toMatchObject({
        spent: expected,
      });
    }
  });

  it('gives what was given back to who asks next', async () => {
    const allowance = allowanceStore(mongo, { budget: 1, period: 'day' });
    const now = Date.UTC(2026, 3, 1);
    expect(await allowance.spend(now)).toEqual({ granted: '2026-04-01' });
    expect(await allowance.spend(now)).toEqual({ usedUp: '2026-04-01' });
    await allowance.giveBack('2026-04-01');
    expect(await allowance.spend(now)).toEqual({ granted: '2026-04-01' });
  });
});
