import { databasePrefix, dropDatabase, mongoProxy, type MongoProxy, testMongoUri } from '@joblisting/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { inTransaction, type Mongo, refusalOfDatabaseError } from '../src/index.ts';
import { connectMongo } from '../src/index-mongo.ts';

interface Thing {
  readonly _id: string;
  readonly text?: string;
}

/** More than a socket takes at once. */
const LONG_TEXT = 'x'.repeat(15_000_000);

const database = `${databasePrefix()}lost`;
let direct: Mongo;
let proxy: MongoProxy;
let mongo: Mongo;

beforeAll(async () => {
  direct = await connectMongo(testMongoUri(), database);
});
afterAll(async () => {
  await direct.close();
  await dropDatabase(direct.name);
});
beforeEach(async () => {
  proxy = await mongoProxy(testMongoUri());
  mongo = await connectMongo(proxy.uri, database);
  await things(mongo).findOne();
});
afterEach(async () => {
  await mongo.close();
  await proxy.stop();
});

const things = (connection: Mongo) => connection.collection<Thing>('things');
const landed = async (id: string) => (await things(direct).findOne({ _id: id })) !== null;
const refusalOf = async (write: Promise<unknown>) => {
  const error = await write.catch(refusalOfDatabaseError);
  return (error as { code?: string }).code;
};

describe('a write whose reply is lost', () => {
  it('has an unknown outcome', async () => {
    proxy.dieAfter('insert');
    expect(await refusalOf(things(mongo).insertOne({ _id: 'single' }))).toBe('deadline_exceeded');
    expect(await landed('single')).toBe(true);
  });

  it('has an unknown outcome in a bulk', async () => {
    proxy.dieAfter('insert');
    const write = things(mongo).bulkWrite([{ insertOne: { document: { _id: 'bulk' } } }]);
    expect(await refusalOf(write)).toBe('deadline_exceeded');
    expect(await landed('bulk')).toBe(true);
  });

  it('has an unknown outcome as commit of a transaction', async () => {
    proxy.dieAfter('commitTransaction');
    const write = inTransaction(mongo, Date.now() + 3000, (session) =>
      things(mongo).insertOne({ _id: 'commit' }, { session }),
    );
    expect(await refusalOf(write)).toBe('deadline_exceeded');
    expect(await landed('commit')).toBe(true);
  });
});

describe('a database that dies', () => {
  it('has not done what was never committed', async () => {
    proxy.dieAfter('insert');
    const write = inTransaction(mongo, Date.now() + 3000, (session) =>
      things(mongo).insertOne({ _id: 'uncommitted' }, { session }),
    );
    expect(await refusalOf(write)).toBe('unavailable');
    expect(await landed('uncommitted')).toBe(false);
  });

  it('may have done what it was being sent', async () => {
    proxy.dieWithin('insert');
    const write = things(mongo).insertOne({ _id: 'half', text: LONG_TEXT });
    expect(await refusalOf(write)).toBe('deadline_exceeded');
  });

  it('has not done what was being sent of a transaction', async () => {
    proxy.dieWithin('insert');
    const write = inTransaction(mongo, Date.now() + 3000, (session) =>
      things(mongo).insertOne({ _id: 'half', text: LONG_TEXT }, { session }),
    );
    expect(await refusalOf(write)).toBe('unavailable');
  });

  it('is not waited for where it has frozen and takes no more', async () => {
    proxy.freezeWithin('insert');
    const write = things(mongo).insertOne({ _id: 'half', text: LONG_TEXT });
    expect(await refusalOf(write)).toBe('deadline_exceeded');
  });

  it('is away for all that comes later', async () => {
    proxy.dieAfter('insert');
    await refusalOf(things(mongo).insertOne({ _id: 'first' }));
    expect(await refusalOf(things(mongo).insertOne({ _id: 'later' }))).toBe('unavailable');
    expect(await refusalOf(things(mongo).findOne({ _id: 'first' }))).toBe('unavailable');
    expect(await landed('later')).toBe(false);
  });
});
