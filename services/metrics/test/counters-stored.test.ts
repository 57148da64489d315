import { connectMongo, type Mongo } from '@joblisting/service-kit';
import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { countersOf } from '../src/store/collections.ts';
import { counterStore } from '../src/store/counter-store.ts';

let mongo: Mongo;
beforeAll(async () => {
  // No service works here: it would flush what is marked.
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}metrics`);
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

describe('settled totals', () => {
  it('keep the mark where they changed on the way', async () => {
    const counters = countersOf(mongo);
    const { settle } = counterStore(mongo);
    await counters.insertOne({ _id: 9, view: 2, application: 0, clickThrough: 0, dirty: true });
    await settle([{ jobId: 9, view: 1, application: 0, clickThrough: 0 }]);
    expect(await counters.findOne({ _id: 9 })).toMatchObject({ view: 2, dirty: true });
    await settle([{ jobId: 9, view: 2, application: 0, clickThrough: 0 }]);
    expect(await counters.findOne({ _id: 9 })).not.toHaveProperty('dirty');
  });
});
