import { databasePrefix, dropDatabase, mongoProxy, type MongoProxy, testMongoUri } from '@joblisting/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mongo as driver } from 'mongoose';
import { finder, type Mongo, refusalOfDatabaseError } from '../src/index.ts';
import { connectMongo } from '../src/index-mongo.ts';

interface Thing {
  readonly _id: number;
  readonly name: string;
  readonly at: Date;
  readonly hidden?: string;
}

const database = `${databasePrefix()}found`;
const AT = new Date('2026-03-01T00:00:00Z');
let mongo: Mongo;
beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), database);
  await things().insertMany(range(40).map(withMore));
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const thing = (_id: number): Thing => ({ _id, name: `Žofín ${_id}`, at: AT });
const withMore = (_id: number): Thing => ({ ...thing(_id), hidden: 'x' });
const things = (connection: Mongo = mongo) => connection.collection<Thing>('things');
const find = (ids: readonly number[], connection: Mongo = mongo, collection = 'things') =>
  finder<Thing>({ mongo: connection, collection, projection: { hidden: 0 } }).some({
    filter: { _id: { $in: [...ids] } },
    most: ids.length,
  });

const idsOf = (found: readonly Thing[][]) => found.flat().map(({ _id }) => _id);
const commands = (connection: Mongo = mongo) =>
  jest.spyOn(connection.db as NonNullable<Mongo['db']>, 'command');
afterEach(() => {
  jest.restoreAllMocks();
});

describe('documents found at once', () => {
  it.each([
    { ids: [1], handfuls: [1] },
    { ids: range(20), handfuls: [8, 8, 4] },
    { ids: [1, 2, 1000], handfuls: [2] },
    { ids: [1000], handfuls: [] },
  ])('come by handfuls, without what is not there: $handfuls', async ({ ids, handfuls }) => {
    const command = commands();
    const found = await Array.fromAsync(find(ids));
    expect(found.map(({ length }) => length)).toEqual(handfuls);
    expect(found.flat()).toEqual(ids.filter((id) => id < 40).map(thing));
    expect(command).toHaveBeenCalledTimes(1);
    // What the majority does not have must not be shown.
    expect(command.mock.calls[0]?.[0]).toMatchObject({ readConcern: { level: 'majority' } });
  });

  it('are decoded as a cursor decodes them', async () => {
    const { Binary, Long } = driver;
    const kinds = mongo.collection<{ readonly _id: number }>('kinds');
    const values = {
      firstBatch: [[1, 2.5], [{ a: [AT] }]],
      binary: new Binary(Buffer.from('bytes')),
      long: Long.fromString('9007199254740993'),
      small: Long.fromNumber(5),
      nothing: null,
      ok: true,
    };
    await kinds.insertOne({ _id: 1, ...values });
    const { some } = finder<{ _id: number }>({ mongo, collection: 'kinds' });
    const decoded = await Array.fromAsync(some({ filter: { _id: 1 }, most: 1 }));
    expect(decoded).toStrictEqual([await kinds.find({ _id: 1 }).toArray()]);
  });

  it('are all found, where they are more than the first batch of a cursor', async () => {
    const many = mongo.collection<Thing>('many');
    await many.insertMany(range(150).map(thing));
    expect(idsOf(await Array.fromAsync(find(range(150), mongo, 'many')))).toHaveLength(150);
  });

  it('are no more than were asked for', async () => {
    const { some } = finder<Thing>({ mongo, collection: 'things' });
    expect(idsOf(await Array.fromAsync(some({ filter: { _id: { $gte: 0 } }, most: 3 })))).toHaveLength(3);
  });

  it('are all found, and as they are to be shown, where a reply has no room for them', async () => {
    const large = mongo.collection<Thing>('large');
    const name = 'x'.repeat(1_000_000);
    for (const _id of range(20)) await large.insertOne({ ...withMore(_id), name });
    const found = await Array.fromAsync(find(range(20), mongo, 'large'));
    expect(new Set(idsOf(found))).toEqual(new Set(range(20)));
    expect(found.flat().filter(({ hidden }) => hidden !== undefined)).toEqual([]);
    // One that has all is not read again.
    expect(idsOf(await Array.fromAsync(find(range(10), mongo, 'large')))).toHaveLength(10);
  });

  it('are found by the index that is hinted at, or not at all', async () => {
    const { some } = finder<Thing>({ mongo, collection: 'things' });
    const hinted = some({ filter: { _id: 1 }, most: 1, hint: 'no_such_index' });
    await expect(Array.fromAsync(hinted)).rejects.toMatchObject({ code: 2 });
  });
});

const one = (_id: number, connection: Mongo = mongo) =>
  finder<Thing>({ mongo: connection, collection: 'things', projection: { hidden: 0 } }).one({ _id });

describe('one document', () => {
  it('is found by one command, as the majority has it, or is not there', async () => {
    const command = commands();
    expect(await one(1)).toEqual(thing(1));
    expect(await one(1000)).toBeUndefined();
    const asMajority = { limit: 1, readConcern: { level: 'majority' } };
    expect(command.mock.calls.map(([sent]) => sent)).toMatchObject([asMajority, asMajority]);
  });
});

describe('where the database goes away', () => {
  let proxy: MongoProxy;
  let behind: Mongo;
  beforeEach(async () => {
    proxy = await mongoProxy(testMongoUri());
    behind = await connectMongo(proxy.uri, database);
    await things(behind).findOne();
    proxy.dieWithin('find');
  });
  afterEach(async () => {
    await behind.close();
    await proxy.stop();
  });

  it('they are found when it is back soon', async () => {
    const found = Array.fromAsync(find([1, 2], behind));
    await proxy.startAgain();
    expect(await found).toEqual([[1, 2].map(thing)]);
  });

  it('one is found when it is back soon', async () => {
    const found = one(1, behind);
    await proxy.startAgain();
    expect(await found).toEqual(thing(1));
  });

  it('the caller is told after a second attempt', async () => {
    const command = commands(behind);
    const code = await Array.fromAsync(find([1, 2], behind)).catch(
      (error: unknown) => (refusalOfDatabaseError(error) as { code?: string }).code,
    );
    expect(code).toBe('unavailable');
    expect(command).toHaveBeenCalledTimes(2);
  });
});
