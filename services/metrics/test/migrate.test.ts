import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Mongo, prepareModels } from '@joblisting/service-kit';
import { connectMongo } from '@joblisting/service-kit/mongo';
import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { counterModel } from '../src/models/counter.ts';
import { unsentModel } from '../src/models/unsent.ts';
import { migrate } from '../src/store/migrate.ts';

const name = `${databasePrefix()}migrate`;
let mongo: Mongo;

beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), name);
  await prepareModels([counterModel(mongo), unsentModel(mongo)]);
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(name);
});

it('adds what 1.0.0 had counted to the totals, once, and has all of them sent', async () => {
  const view = (jobId: number, many: number) => ({ jobId, view: many, application: 0, clickThrough: 0 });
  await mongo
    .collection<{ _id: number }>('counters')
    .insertMany([
      { _id: 1, view: 5, application: 1, clickThrough: 0, dirty: true } as { _id: number },
      { _id: 2, view: 7, application: 0, clickThrough: 0 } as { _id: number },
    ]);
  await mongo
    .collection('additions')
    .insertMany([{ adds: [view(2, 3), view(3, 1)] }, { adds: [view(3, 1)] }]);

  await migrate(mongo);
  await migrate(mongo);
  const totals = await counterModel(mongo).find().sort({ _id: 1 }).lean();
  expect(totals.map((counter) => [counter._id, counter.view])).toEqual([
    [1, 5],
    [2, 10],
    [3, 2],
  ]);
  const marks = await unsentModel(mongo).find().lean();
  expect(new Set(marks.flatMap(({ jobIds }) => jobIds))).toEqual(new Set([1, 2, 3]));
  expect(await mongo.collection('counters').countDocuments({ dirty: true })).toBe(0);
});
