import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Mongo, prepareModels } from '@joblisting/service-kit';
import { connectMongo } from '@joblisting/service-kit/mongo';
import { databasePrefix, dropDatabase, testClock, testMongoUri } from '@joblisting/testing';
import { linkStore } from '../src/link-store.ts';
import { linkModel } from '../src/models/link.ts';

let mongo: Mongo;
beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}links`);
  await prepareModels([linkModel(mongo)]);
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

const clock = testClock('2026-03-01T12:00:00Z');

describe('findOrCreate', () => {
  it('takes another code where one is taken', async () => {
    const codes = ['aaaaaaa', 'aaaaaaa', 'aaaaaaa', 'bbbbbbb'];
    const links = linkStore(mongo, clock, () => codes.shift() ?? 'last');
    expect(await links.findOrCreate(1, 'builtin')).toMatchObject({ code: 'aaaaaaa', jobId: 1 });
    expect(await links.findOrCreate(2, 'builtin')).toMatchObject({ code: 'bbbbbbb', jobId: 2 });
    expect(await links.find('aaaaaaa')).toMatchObject({ code: 'aaaaaaa', jobId: 1 });
  });

  it('rejects where every code is taken', async () => {
    const links = linkStore(mongo, clock, () => 'aaaaaaa');
    await expect(links.findOrCreate(3, 'builtin')).rejects.toThrow('all taken');
  });

  it('stores when the link was made', async () => {
    await linkStore(mongo, clock, () => 'ccccccc').findOrCreate(4, 'builtin');
    const stored = await linkModel(mongo).findOne({ jobId: 4 }).lean();
    expect(stored?.createdAt).toEqual(new Date('2026-03-01T12:00:00Z'));
  });
});
