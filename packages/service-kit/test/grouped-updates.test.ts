import { nextTick } from 'node:process';
import { databasePrefix, dropDatabase, mongoProxy, type MongoProxy, testMongoUri } from '@joblisting/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { groupedUpdates, type Mongo, refusalOfDatabaseError } from '../src/index.ts';
import { connectMongo } from '../src/index-mongo.ts';

interface Thing {
  readonly _id: number;
  readonly name: string;
  readonly version: number;
}

const database = `${databasePrefix()}updated`;
let mongo: Mongo;
beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), database);
  await things().createIndex({ name: 1 }, { unique: true });
});
beforeEach(async () => {
  await things().deleteMany({});
  await things().insertMany(range(80).map((_id) => ({ _id, name: `n${_id}`, version: 1 })));
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const things = (connection: Mongo = mongo) => connection.collection<Thing>('things');
const updates = (connection: Mongo = mongo) =>
  groupedUpdates<Thing>({ mongo: connection, collection: 'things' });
const to = (_id: number, version: number, name?: string) => ({
  filter: { _id, version: version - 1 },
  change: { $set: { version, ...(name !== undefined && { name }) } },
});
const changed = () => things().countDocuments({ version: 2 });

describe('documents changed at once', () => {
  it('are all changed once each is acknowledged, by few statements', async () => {
    const command = jest.spyOn(mongo.db as NonNullable<Mongo['db']>, 'command');
    const update = updates();
    const outcomes = await Promise.all(range(33).map((_id) => update(to(_id, 2), Infinity)));
    expect(new Set(outcomes)).toEqual(new Set(['done']));
    expect(await changed()).toBe(33);
    expect(command).toHaveBeenCalledTimes(2);
    const safe = { ordered: false, writeConcern: { w: 'majority', j: true } };
    expect(command).toHaveBeenCalledWith(expect.objectContaining(safe));
    command.mockRestore();
  });

  it('have outcomes of their own', async () => {
    const update = updates();
    const outcomes = await Promise.all([
      update(to(1, 2), Infinity),
      update(to(2, 8), Infinity),
      update(to(999, 2), Infinity),
      update(to(3, 2, 'n4'), Infinity),
      update(to(5, 2), Date.now() - 1),
      update(to(6, 2), Infinity),
      update(to(6, 2), Infinity),
      update(to(7, 2, 'another'), Infinity),
    ]);
    expect(outcomes).toEqual(['done', 'lost', 'lost', 'taken', 'late', 'done', 'lost', 'done']);
    expect(await things().countDocuments()).toBe(80);
    expect(await changed()).toBe(3);
  });

  it('are refused for themselves by the rules of the collection', async () => {
    await mongo.createCollection('strict', { validator: { name: { $type: 'string' } } });
    const strict = mongo.collection<Thing>('strict');
    await strict.insertMany([1, 2].map((_id) => ({ _id, name: 'a', version: 1 })));
    const update = groupedUpdates<Thing>({ mongo, collection: 'strict' });
    const outcomes = await Promise.allSettled([
      update(to(1, 2), Infinity),
      update(to(2, 2, 3 as unknown as string), Infinity),
    ]);
    expect(outcomes[0]).toEqual({ status: 'fulfilled', value: 'done' });
    expect(outcomes[1]).toMatchObject({ reason: { code: 121 } });
  });

  it('do not wait for a large one', async () => {
    const update = groupedUpdates<Thing>({
      mongo,
      collection: 'things',
      isLarge: ({ filter }) => Number(filter._id) % 2 === 1,
    });
    const outcomes = range(4).map((_id) => update(to(_id, 2), Infinity));
    expect(await Promise.all(outcomes)).toEqual(['done', 'done', 'done', 'done']);
  });
});

describe('a database that goes away', () => {
  let proxy: MongoProxy;
  let behind: Mongo;
  beforeEach(async () => {
    proxy = await mongoProxy(testMongoUri());
    behind = await connectMongo(proxy.uri, database);
    await things(behind).findOne();
  });
  afterEach(async () => {
    await behind.close();
    await proxy.stop();
  });

  it('leaves the outcome of a whole group unknown, and does nothing of what was not sent', async () => {
    const update = updates(behind);
    const codeOf = (_id: number) =>
      update(to(_id, 2), Infinity).catch((error: unknown) => {
        const refusal = refusalOfDatabaseError(error) as { code?: string };
        return refusal.code;
      });
    proxy.dieAfter('update');
    const group = [1, 2].map(codeOf);
    await new Promise(nextTick);
    const next = codeOf(3);
    expect(await Promise.all([...group, next])).toEqual([
      'deadline_exceeded',
      'deadline_exceeded',
      'unavailable',
    ]);
    expect(await changed()).toBe(2);
  });
});
