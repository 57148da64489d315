import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstSystemCategories } from '@joblisting/contracts';
import { type Mongo, startService } from '@joblisting/service-kit';
import { connectMongo } from '@joblisting/service-kit/mongo';
import { databasePrefix, dropDatabase, startNats, testMongoUri, type TestNats } from '@joblisting/testing';
import { categoriesService } from '../src/index.ts';
import { collections } from './running-categories.ts';

let nats: TestNats;
let mongo: Mongo;
const database = `${databasePrefix()}categories`;
beforeAll(async () => {
  nats = await startNats();
  mongo = await connectMongo(testMongoUri(), database);
});
afterAll(async () => {
  await mongo.close();
  await nats.stop();
  await dropDatabase(mongo.name);
});

const start = () =>
  startService(categoriesService, {
    env: {
      NATS_URL: nats.url,
      MONGODB_URI: testMongoUri(),
      MONGODB_DATABASE: database,
      LOG_LEVEL: 'silent',
    },
  });

describe('starting the service', () => {
  it('seeds an empty database once, however many replicas start at once', async () => {
    const replicas = await Promise.all([start(), start(), start()]);
    const { categories, names } = collections(mongo);
    const seeded = await categories.find().sort({ _id: 1 }).lean();
    expect(seeded.map(({ _id, name }) => [_id, name])).toEqual(
      firstSystemCategories.map((name, index) => [index + 1, name]),
    );
    expect(await names.countDocuments()).toBe(firstSystemCategories.length);
    await Promise.all(replicas.map((replica) => replica.stop()));
  });

  it('leaves existing categories as they are', async () => {
    const { categories } = collections(mongo);
    await categories.updateOne({ _id: 1 }, { $set: { version: 9 } });
    const replica = await start();
    expect(await categories.findOne({ _id: 1 }).lean()).toMatchObject({ version: 9 });
    expect(await categories.countDocuments()).toBe(firstSystemCategories.length);
    await replica.stop();
  });
});
