import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { handfuls, type Mongo } from '../src/index.ts';
import { connectMongo } from '../src/index-mongo.ts';

interface Stored {
  readonly _id: number;
}

const ALL = Array.from({ length: 20 }, (_, _id) => ({ _id }));

let mongo: Mongo;
beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}handfuls`);
  await stored().insertMany(ALL);
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

const stored = () => mongo.collection<Stored>('some');
const first = (count: number, batchSize: number) =>
  stored()
    .find({ _id: { $lt: count } })
    .sort({ _id: 1 })
    .batchSize(batchSize);

describe('what a cursor finds', () => {
  it.each([
    { count: 0, batchSize: 50, expected: [] },
    { count: 1, batchSize: 50, expected: [1] },
    { count: 20, batchSize: 50, expected: [8, 8, 4] },
    { count: 20, batchSize: 10, expected: [8, 2, 8, 2] },
  ])('comes in handfuls: $count by $batchSize', async ({ count, batchSize, expected }) => {
    const found = await Array.fromAsync(handfuls(first(count, batchSize)));
    expect(found.map(({ length }) => length)).toEqual(expected);
    expect(found.flat()).toEqual(ALL.slice(0, count));
  });

  it('is let go of where nobody wants the rest', async () => {
    const cursor = first(20, 10);
    for await (const _ of handfuls(cursor)) break;
    expect(cursor.killed).toBe(true);
  });
});
