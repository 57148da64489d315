import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertedTogether, type Mongo } from '../src/index.ts';
import { connectMongo } from '../src/index-mongo.ts';

interface Thing {
  readonly _id: number;
  readonly name: string;
}

let mongo: Mongo;
beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}together`);
  await mongo.createCollection('things', { validator: { name: { $type: 'string' } } });
  await things().createIndex({ name: 1 }, { unique: true });
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

const things = () => mongo.collection<Thing>('things');
const insert = (documents: readonly Thing[]) => insertedTogether<Thing>(mongo, 'things')(documents);
const thing = (_id: number, name: unknown = `n${_id}`) => ({ _id, name }) as Thing;

describe('documents inserted together', () => {
  it('are all there', async () => {
    const all = Array.from({ length: 100 }, (_, index) => thing(index));
    expect(await insert(all)).toEqual(all);
    expect(await things().countDocuments({ _id: { $lt: 100 } })).toBe(100);
  });

  it('leave out those of which a unique index has a key', async () => {
    await insert([thing(200)]);
    const inserted = await insert([
      thing(200),
      thing(201, 'n200'),
      thing(202),
      thing(203, 'n202'),
      thing(204),
    ]);
    expect(inserted.map(({ _id }) => _id)).toEqual([202, 204]);
    expect(await things().countDocuments({ _id: { $gte: 200 } })).toBe(3);
  });

  it('fail where one is refused for another reason', async () => {
    await expect(insert([thing(300), thing(301, 1)])).rejects.toMatchObject({ code: 121 });
  });
});
