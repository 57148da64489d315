import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '@joblisting/contracts';
import { databasePrefix, dropDatabase, startMongo, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mongo as driver } from 'mongoose';
import { inTransaction, type Mongo, refusalOfDatabaseError } from '../src/index.ts';
import { connectMongo } from '../src/index-mongo.ts';

interface Counter {
  readonly _id: string;
  readonly value: number;
}

const inFuture = (ms = 5000) => Date.now() + ms;

describe('inTransaction', () => {
  let mongo: Mongo;

  beforeAll(async () => {
    mongo = await connectMongo(testMongoUri(), `${databasePrefix()}transaction`);
    await mongo.collection<Counter>('values').insertOne({ _id: 'start', value: 0 });
  });

  afterAll(async () => {
    await mongo.close();
    await dropDatabase(mongo.name);
  });

  const value = async (id: string) => (await mongo.collection<Counter>('values').findOne({ _id: id }))?.value;

  it('runs conflicting work again until all of it is done', async () => {
    await mongo.collection<Counter>('values').insertOne({ _id: 'shared', value: 0 });
    const increment = () =>
      inTransaction(mongo, inFuture(20_000), async (session) => {
        const values = mongo.collection<Counter>('values');
        const before = await values.findOne({ _id: 'shared' }, { session });
        await values.updateOne({ _id: 'shared' }, { $set: { value: (before?.value ?? 0) + 1 } }, { session });
      });
    await Promise.all(Array.from({ length: 20 }, increment));
    expect(await value('shared')).toBe(20);
  });

  it('runs the loser of two inserts again, which then sees the other', async () => {
    const findOrInsert = () =>
      inTransaction(mongo, inFuture(), async (session) => {
        const values = mongo.collection<Counter>('values');
        if (await values.findOne({ _id: 'once' }, { session })) return 'found';
        await values.insertOne({ _id: 'once', value: 1 }, { session });
        return 'inserted';
      });
    const outcomes = await Promise.all(Array.from({ length: 10 }, findOrInsert));
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1);
  });

  it('gives up on a duplicate key that stays', async () => {
    const insert = inTransaction(mongo, inFuture(), (session) =>
      mongo.collection<Counter>('values').insertOne({ _id: 'start', value: 1 }, { session }),
    );
    await expect(insert).rejects.toMatchObject({ code: 11_000 });
  });

  it('repeats a commit that an overloaded database did not let in', async () => {
    const commit = jest.spyOn(driver.ClientSession.prototype, 'commitTransaction');
    const { RetryableError, SystemOverloadedError } = driver.MongoErrorLabel;
    // No server that these tests can start refuses commands like this.
    commit.mockRejectedValueOnce(
      new driver.MongoServerError({
        message: 'too many requests',
        code: 462,
        errorLabels: [SystemOverloadedError, RetryableError],
      }),
    );
    await inTransaction(mongo, inFuture(), (session) =>
      mongo.collection<Counter>('values').insertOne({ _id: 'late', value: 1 }, { session }),
    );
    commit.mockRestore();
    expect(await value('late')).toBe(1);
  });

  it('writes nothing where the work throws', async () => {
    const refused = inTransaction(mongo, inFuture(), async (session) => {
      await mongo.collection<Counter>('values').insertOne({ _id: 'refused', value: 1 }, { session });
      throw new ServiceError('validation_failed');
    });
    await expect(refused).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await value('refused')).toBeUndefined();
  });

  it('starts nothing past the deadline', async () => {
    const late = inTransaction(mongo, Date.now() - 1, () => Promise.resolve('done'));
    await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded' });
  });

  it('does not commit once the deadline has passed', async () => {
    const slow = inTransaction(mongo, inFuture(200), async (session) => {
      await mongo.collection<Counter>('values').insertOne({ _id: 'slow', value: 1 }, { session });
      await delay(300);
    });
    await expect(slow).rejects.toMatchObject({ code: 'deadline_exceeded', reason: 'deadline' });
    expect(await value('slow')).toBeUndefined();
  });

  it('ends at the deadline, however long the conflict lasts', async () => {
    const values = mongo.collection<Counter>('values');
    const endless = inTransaction(mongo, inFuture(300), async (session) => {
      await values.findOne({ _id: 'start' }, { session });
      await values.updateOne({ _id: 'start' }, { $inc: { value: 1 } });
      await values.updateOne({ _id: 'start' }, { $inc: { value: 1 } }, { session });
    });
    await expect(
      endless.catch((error: unknown) => Promise.reject(refusalOfDatabaseError(error))),
    ).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
  });
});

describe('a database that is away', () => {
  it('is `unavailable`: nothing was done', async () => {
    const server = await startMongo();
    const mongo = await connectMongo(server.uri, 'away');
    await mongo.collection<Counter>('values').insertOne({ _id: 'here', value: 1 });
    await server.stop();
    const write = inTransaction(mongo, inFuture(10_000), (session) =>
      mongo.collection<Counter>('values').insertOne({ _id: 'there', value: 1 }, { session }),
    );
    await expect(write).rejects.toMatchObject({ code: 'unavailable' });
    const read = mongo.collection<Counter>('values').findOne({ _id: 'here' });
    await expect(
      read.catch((error: unknown) => Promise.reject(refusalOfDatabaseError(error))),
    ).rejects.toMatchObject({
      code: 'unavailable',
    });
    await mongo.close();
  });
});
