import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databasePrefix, startMongo, testMongoUri, type TestMongo } from '../src/index.ts';

describe('the shared MongoDB', () => {
  const client = new mongoose.mongo.MongoClient(testMongoUri());
  afterAll(() => client.close());

  it('supports transactions', async () => {
    const things = client.db(`${databasePrefix()}things`).collection('things');
    await things.createIndex({ name: 1 }, { unique: true });
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await things.insertOne({ name: 'one' }, { session });
        await things.insertOne({ name: 'two' }, { session });
      }),
    );
    await expect(things.countDocuments()).resolves.toBe(2);
    await client.db(things.dbName).dropDatabase();
  });

  it('ends orphaned transactions after three seconds', async () => {
    const answer = await client.db('admin').command({ getParameter: 1, transactionLifetimeLimitSeconds: 1 });
    expect(answer['transactionLifetimeLimitSeconds']).toBe(3);
  });

  it('has a database prefix per suite', () => {
    expect(databasePrefix()).not.toBe(databasePrefix());
    expect(databasePrefix()).toMatch(/^t[0-9a-f]{10}_$/);
  });
});

describe('startMongo', () => {
  let mongo: TestMongo;
  beforeAll(async () => {
    mongo = await startMongo();
  });
  afterAll(() => mongo.stop());

  it('starts another server, with a URI without a database', async () => {
    expect(mongo.uri).not.toBe(testMongoUri());
    expect(new URL(mongo.uri).pathname).toBe('/');
    const connection = await mongoose.createConnection(mongo.uri, { dbName: 'own' }).asPromise();
    await connection.collection('things').insertOne({ name: 'one' });
    await connection.close();
  });
});
