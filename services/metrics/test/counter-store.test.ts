import { type Mongo } from '@joblisting/service-kit';
import { connectMongo } from '@joblisting/service-kit/mongo';
import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { counterModel } from '../src/models/counter.ts';
import { counterStore } from '../src/store/counter-store.ts';

let mongo: Mongo;
beforeAll(async () => {
  // No service works here: it would send what is dirty.
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}metrics`);
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

describe('totals marked as sent', () => {
  it('stay dirty where they changed meanwhile', async () => {
    const counters = counterModel(mongo);
    const { markSent } = counterStore(mongo);
    await counters.insertOne({ _id: 9, view: 2, application: 0, clickThrough: 0, dirty: true });
    await markSent([{ jobId: 9, view: 1, application: 0, clickThrough: 0 }]);
    expect(await counters.findById(9).lean()).toMatchObject({ view: 2, dirty: true });
    await markSent([{ jobId: 9, view: 2, application: 0, clickThrough: 0 }]);
    expect(await counters.findById(9).lean()).not.toHaveProperty('dirty');
  });
});
