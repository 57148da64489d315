import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectMongo, type Mongo } from '@joblisting/service-kit';
import { databasePrefix, dropDatabase, testClock, testMongoUri } from '@joblisting/testing';
import { linkStore } from '../src/link-store.ts';

let mongo: Mongo;
beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}links`);
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

const clock = testClock('2026-03-01T12:00:00Z');
const codesInTurn =
  (...codes: string[]) =>
  () =>
    codes.shift() ?? 'last';

describe('linkStore', () => {
  it('takes another code where one is taken', async () => {
    const links = linkStore(mongo, clock, codesInTurn('aaaaaaa', 'aaaaaaa', 'aaaaaaa', 'bbbbbbb'));
    await links.createIndexes();
    expect(await links.findOrCreate(1, 'builtin', Infinity)).toMatchObject({ code: 'aaaaaaa', jobId: 1 });
    expect(await links.findOrCreate(2, 'builtin', Infinity)).toMatchObject({ code: 'bbbbbbb', jobId: 2 });
    expect(await links.find('aaaaaaa')).toMatchObject({ code: 'aaaaaaa', jobId: 1 });
  });

  it('gives up where every code is taken', async () => {
    const links = linkStore(mongo, clock, () => 'aaaaaaa');
    await expect(links.findOrCreate(3, 'builtin', Infinity)).rejects.toThrow('no free code');
  });

  it('notes when a link was made', async () => {
    const links = linkStore(mongo, clock, () => 'ccccccc');
    await links.findOrCreate(4, 'builtin', Infinity);
    const stored = await mongo.collection('links').findOne({ jobId: 4 });
    expect(stored?.['createdAt']).toEqual(new Date('2026-03-01T12:00:00Z'));
  });
});
