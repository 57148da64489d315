import { nextTick } from 'node:process';
import { databasePrefix, dropDatabase, mongoProxy, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { groupedInserts, type Mongo, refusalOfDatabaseError } from '../src/index.ts';
import { connectMongo } from '../src/index-mongo.ts';

interface Thing {
  readonly _id: number;
  readonly name: string;
}

const database = `${databasePrefix()}grouped`;
let mongo: Mongo;
beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), database);
  await things().createIndex({ name: 1 }, { unique: true });
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

const things = (connection: Mongo = mongo) => connection.collection<Thing>('things');
const inserts = (connection: Mongo = mongo) =>
  groupedInserts<Thing>({ mongo: connection, collection: 'things' });
const stored = (ids: readonly number[]) => things().countDocuments({ _id: { $in: [...ids] } });
const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

describe('documents inserted at once', () => {
  it('are all there once each is acknowledged', async () => {
    const insert = inserts();
    const ids = range(100, 80);
    const outcomes = await Promise.all(ids.map((_id) => insert({ _id, name: `n${_id}` }, Infinity)));
    expect(new Set(outcomes)).toEqual(new Set(['done']));
    expect(await stored(ids)).toBe(80);
  });

  it('go by few statements', async () => {
    const command = jest.spyOn(mongo.db as NonNullable<Mongo['db']>, 'command');
    const insert = inserts();
    await Promise.all(range(200, 33).map((_id) => insert({ _id, name: `n${_id}` }, Infinity)));
    expect(command).toHaveBeenCalledTimes(2);
    command.mockRestore();
  });

  it('have outcomes of their own', async () => {
    const insert = inserts();
    const [first, ...others] = await Promise.all([
      insert({ _id: 300, name: 'same' }, Infinity),
      insert({ _id: 301, name: 'same' }, Infinity),
      insert({ _id: 302, name: 'other' }, Infinity),
      insert({ _id: 303, name: 'late' }, Date.now() - 1),
      insert({ _id: 304, name: 'last' }, Infinity),
    ]);
    expect([first, ...others]).toEqual(['done', 'taken', 'done', 'late', 'done']);
    expect(await stored(range(300, 5))).toBe(3);
  });

  it('are refused for themselves by the rules of the collection', async () => {
    await mongo.createCollection('strict', { validator: { name: { $type: 'string' } } });
    const insert = groupedInserts<Thing>({ mongo, collection: 'strict' });
    const outcomes = await Promise.allSettled([
      insert({ _id: 1, name: 'a' }, Infinity),
      insert({ _id: 2, name: 'b' }, Infinity),
      insert({ _id: 3, name: 3 as unknown as string }, Infinity),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: { code: 121 } });
  });

  it('do not wait for a large one', async () => {
    const insert = groupedInserts<Thing>({
      mongo,
      collection: 'things',
      isLarge: ({ name }) => name.startsWith('large'),
    });
    const outcomes = range(400, 4).map((_id) =>
      insert({ _id, name: `${_id % 2 ? 'large' : 'small'}${_id}` }, Infinity),
    );
    expect(await Promise.all(outcomes)).toEqual(['done', 'done', 'done', 'done']);
  });
});

describe('a database that goes away', () => {
  it('leaves the outcome of a whole group unknown, and does nothing of what was not sent', async () => {
    const proxy = await mongoProxy(testMongoUri());
    const behind = await connectMongo(proxy.uri, database);
    await things(behind).findOne();
    const insert = inserts(behind);
    const codeOf = (_id: number) =>
      insert({ _id, name: `n${_id}` }, Infinity).catch((error: unknown) => {
        const refusal = refusalOfDatabaseError(error) as { code?: string };
        return refusal.code;
      });
    proxy.dieAfter('insert');
    const group = [500, 501].map(codeOf);
    await new Promise(nextTick);
    const next = codeOf(502);
    expect(await Promise.all([...group, next])).toEqual([
      'deadline_exceeded',
      'deadline_exceeded',
      'unavailable',
    ]);
    expect(await stored(range(500, 3))).toBe(2);
    await behind.close();
    await proxy.stop();
  });
});
