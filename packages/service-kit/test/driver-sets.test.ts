import { databasePrefix, dropDatabase, mostGrownOld, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectMongo, type Mongo } from '../src/index.ts';

const MB = 1024 * 1024;
const AT_ONCE = 16;

describe('a connection to the database', () => {
  const connect = () => connectMongo(testMongoUri(), `${databasePrefix()}driver_sets`);
  let mongo: Mongo;

  beforeAll(async () => {
    mongo = await connect();
    await mongo.collection('things').insertMany(Array.from({ length: AT_ONCE }, (_, _id) => ({ id: _id })));
  });

  afterAll(async () => {
    await mongo.close();
    await dropDatabase(mongo.name);
  });

  it('holds nothing of the statements that have ended', async () => {
    const readAll = async () => {
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, id) => mongo.collection('things').find({ id }).toArray()),
      );
    };
    for (let time = 0; time < 20; time++) await readAll();
    expect(await mostGrownOld(100, readAll)).toBeLessThan(2 * MB);
  });

  it('ends the cursors and sessions that are open when it is closed', async () => {
    const other = await connect();
    const session = await other.startSession();
    const cursor = other.collection('things').find({}, { batchSize: 1 });
    await cursor.next();
    await other.close();
    expect([cursor.closed, session.hasEnded]).toEqual([true, true]);
  });
});
