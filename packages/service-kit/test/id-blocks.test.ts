import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { INT32_MAX } from '@joblisting/contracts';
import { type Mongo, type NextId } from '../src/index.ts';
import { connectMongo, idBlocks } from '../src/index-mongo.ts';

const database = `${databasePrefix()}ids`;
let mongo: Mongo;
let other: Mongo;
beforeAll(async () => {
  [mongo, other] = await Promise.all([
    connectMongo(testMongoUri(), database),
    connectMongo(testMongoUri(), database),
  ]);
});
afterAll(async () => {
  await Promise.all([mongo.close(), other.close()]);
  await dropDatabase(database);
});

const take = (next: NextId, count: number) => Promise.all(Array.from({ length: count }, next));

describe('idBlocks', () => {
  it('counts from the first id on', async () => {
    expect(await take(idBlocks(mongo, 'first', 3, 100), 7)).toEqual([100, 101, 102, 103, 104, 105, 106]);
  });

  it('gives no id twice, however many ask however many replicas at once', async () => {
    const replicas = [mongo, other, mongo, other].map((connection) => idBlocks(connection, 'shared', 7));
    const ids = (await Promise.all(replicas.map((next) => take(next, 100)))).flat();
    expect(new Set(ids).size).toBe(400);
    expect(Math.min(...ids)).toBe(1);
  });

  it('goes on behind what was handed out before', async () => {
    await take(idBlocks(mongo, 'again', 10), 3);
    const [next] = await take(idBlocks(other, 'again', 10), 1);
    expect(next).toBe(11);
  });

  it('keeps names apart', async () => {
    await take(idBlocks(mongo, 'one', 10), 5);
    expect(await take(idBlocks(mongo, 'two', 10), 1)).toEqual([1]);
  });

  it('hands an id out again that was given back, once', async () => {
    const next = idBlocks(mongo, 'unused', 10);
    await take(next, 3);
    next.giveBack(2);
    expect(await take(next, 2)).toEqual([2, 4]);
  });

  it('ends with the last Int32', async () => {
    const next = idBlocks(mongo, 'last', 2, INT32_MAX);
    expect(await next()).toBe(INT32_MAX);
    await expect(next()).rejects.toThrow(RangeError);
  });
});
