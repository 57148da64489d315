import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectMongo, type Mongo } from '@joblisting/service-kit';
import { databasePrefix, dropDatabase, testMongoUri } from '@joblisting/testing';
import { inChunks } from '../src/store/in-chunks.ts';

interface Stored {
  readonly _id: number;
}

const ALL = Array.from({ length: 250 }, (_, _id) => ({ _id }));

let mongo: Mongo;

beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}chunks-stored`);
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
    { count: 0, batchSize: 100, size: 100, expected: [] },
    { count: 250, batchSize: 100, size: 100, expected: [100, 100, 50] },
    { count: 250, batchSize: 90, size: 120, expected: [120, 120, 10] },
    { count: 240, batchSize: 240, size: 120, expected: [120, 120] },
  ])('comes in chunks of $size: $count by $batchSize', async ({ count, batchSize, size, expected }) => {
    const found = await Array.fromAsync(inChunks(first(count, batchSize), size));
    expect(found.map(({ length }) => length)).toEqual(expected);
    expect(found.flat()).toEqual(ALL.slice(0, count));
  });

  it('is let go of where nobody wants the rest', async () => {
    const cursor = first(250, 10);
    for await (const _ of inChunks(cursor, 10)) break;
    expect(cursor.killed).toBe(true);
  });
});
