import { databasePrefix, dropDatabase, type MongoProxy, mongoProxy, testMongoUri } from '@joblisting/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Mongo, refusalOfDatabaseError } from '../src/index.ts';
import { connectMongo } from '../src/index-mongo.ts';

let proxy: MongoProxy;
let mongo: Mongo;
beforeEach(async () => {
  proxy = await mongoProxy(testMongoUri());
  mongo = await connectMongo(proxy.uri, `${databasePrefix()}no-connection`);
});
afterEach(async () => {
  await mongo.close();
  await proxy.stop();
});

const things = () => mongo.collection<{ readonly _id: number }>('things');

describe('where a server takes no more connections', () => {
  it('a write without a connection was not done, and is `unavailable`', async () => {
    await things().insertOne({ _id: 0 });
    proxy.takeNoMore();
    const inserts = [1, 2, 3].map((_id) => things().insertOne({ _id }));
    const outcomes = await Promise.allSettled(inserts);
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [refusalOfDatabaseError(outcome.reason)] : [],
    );
    expect(refusals.length).toBeGreaterThan(0);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'unavailable' });
    const direct = await connectMongo(testMongoUri(), mongo.name);
    const stored = await direct.collection('things').countDocuments();
    await direct.close();
    await dropDatabase(direct.name);
    expect(stored).toBe(1 + inserts.length - refusals.length);
  });
});
