import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectMongo, handfuls, type Mongo } from '@joblisting/service-kit';
import { databasePrefix, testMongoUri } from '@joblisting/testing';
import { inChunks } from '../src/store/in-chunks.ts';

interface Stored {
  readonly _id: number;
}

const ALL = Array.from({ length: 250 }, (_, _id) => ({ _id }));

let mongo: Mongo;

beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}cursors-stored`);
  await stored().insertMany(ALL);
});
afterAll(async () => {
  await mongo.dropDatabase();
  await mongo.close();
});

const stored = () => mongo.collection<Stored>('some');
const first = (count: number, batchSize: number) =>
  stored()
    .find({ _id: { $lt: count } })
    .sort({ _id: 1 })
    .batchSize(batchSize);

async function collect<T>(parts: AsyncIterable<T[]>): Promise<T[][]> {
  const collected: T[][] = [];
  for await (const part of parts) collected.push(part);
  return collected;
}

const lengths = (parts: readonly unknown[][]) => parts.map(({ length }) => length);

describe('what a cursor finds', () => {
  it.each([
    { count: 0, batchSize: 50, expected: [] },
    { count: 1, batchSize: 50, expected: [1] },
    { count: 20, batchSize: 50, expected: [8, 8, 4] },
    { count: 20, batchSize: 10, expected: [8, 2, 8, 2] },
  ])('comes in handfuls: $count by $batchSize', async ({ count, batchSize, expected }) => {
    const found = await collect(handfuls(first(count, batchSize)));
    expect(lengths(found)).toEqual(expected);
    expect(found.flat()).toEqual(ALL.slice(0, count));
  });

  it.each([
    { count: 0, batchSize: 100, size: 100, expected: [] },
    { count: 250, batchSize: 100, size: 100, expected: [100, 100, 50] },
    { count: 250, batchSize: 90, size: 120, expected: [120, 120, 10] },
    { count: 240, batchSize: 240, size: 120, expected: [120, 120] },
  ])('comes in chunks of $size: $count by $batchSize', async ({ count, batchSize, size, expected }) => {
    const found = await collect(inChunks(first(count, batchSize), size));
    expect(lengths(found)).toEqual(expected);
    expect(found.flat()).toEqual(ALL.slice(0, count));
  });

  it('is let go of where nobody wants the rest', async () => {
    const cursors = [first(250, 10), first(250, 10)] as const;
    for await (const _ of handfuls(cursors[0])) break;
    for await (const _ of inChunks(cursors[1], 10)) break;
    expect(cursors.map(({ killed }) => killed)).toEqual([true, true]);
  });
});
