import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { databasePrefix, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectMongo, type Mongo } from '../src/index.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'major' | 'minor' }) => void;

const MB = 1024 * 1024;
const AT_ONCE = 16;

interface Text {
  readonly _id: number;
  readonly texts: readonly string[];
}

const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;

describe('a connection to the database', () => {
  let mongo: Mongo;

  beforeAll(async () => {
    mongo = await connectMongo(testMongoUri(), `${databasePrefix()}driver_sets`);
    const texts = Array.from({ length: 500 }, (_, index) => `text ${index}`);
    await mongo
      .collection<Text>('texts')
      .insertMany(Array.from({ length: AT_ONCE }, (_, _id) => ({ _id, texts })));
  });

  afterAll(async () => {
    await mongo.dropDatabase();
    await mongo.close();
  });

  it('holds nothing of the documents that were read', async () => {
    const readAll = () =>
      Promise.all(
        Array.from({ length: AT_ONCE }, (_, _id) => mongo.collection<Text>('texts').find({ _id }).toArray()),
      );
    for (let time = 0; time < 20; time++) await readAll();
    collect({ type: 'major' });
    const before = oldBytes();
    for (let time = 0; time < 100; time++) {
      await readAll();
      collect({ type: 'minor' });
    }
    expect(oldBytes() - before).toBeLessThan(2 * MB);
  });

  it('ends the cursors and sessions that are open when it is closed', async () => {
    const other = await connectMongo(testMongoUri(), `${databasePrefix()}driver_sets`);
    const session = await other.startSession();
    const cursor = other.collection<Text>('texts').find({}, { batchSize: 1 });
    await cursor.next();
    await other.close();
    expect([cursor.closed, session.hasEnded]).toEqual([true, true]);
  });
});
