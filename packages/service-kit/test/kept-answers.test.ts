import { databasePrefix, dropDatabase, testClock, testMongoUri } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inTransaction, type KeptAnswer, type Mongo } from '../src/index.ts';
import { connectMongo, keptAnswersIn } from '../src/index-mongo.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
// Far from the machine's time: what the server removes must not depend on it.
const clock = testClock('2001-01-01T00:00:00Z');
let mongo: Mongo;
let answers: ReturnType<typeof keptAnswersIn>;

beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}kept`);
  answers = keptAnswersIn(mongo, 'idempotency', clock);
  await answers.createIndexes();
});
afterAll(async () => {
  await mongo.close();
  await dropDatabase(mongo.name);
});

const answer = (key: string, id = 1): KeptAnswer => ({
  key,
  fingerprint: 'f',
  outcome: 'created',
  id,
  version: 1,
  data: new TextEncoder().encode(`{"id":${id},"name":"\u00e9"}`),
  warnings: [{ code: 'unknown_field', detail: 'It was ignored.', pointer: '#/odd' }],
  expireAt: new Date(clock.now() + DAY_MS),
});
interface Stored {
  readonly _id: string;
  readonly data?: { readonly length: () => number };
  readonly deflated?: { readonly length: () => number };
}
const write = <T>(work: Parameters<typeof inTransaction<T>>[2]) =>
  inTransaction(mongo, Date.now() + 5000, work);
const insert = (...kept: KeptAnswer[]) => write((session) => answers.insert(kept, session));
const existingKeys = (...keys: string[]) => write((session) => answers.existingKeys(keys, session));

describe('kept answers', () => {
  it('are found as they were written, each under its key', async () => {
    await insert(answer('a', 1), answer('b', 2));
    expect(await answers.find('a')).toEqual(answer('a', 1));
    expect(await answers.find('b')).toEqual(answer('b', 2));
    expect(await answers.find('c')).toBeUndefined();
  });

  it.each([
    ['as they are up to 64 kB', 64 * 1024, 'data', 64 * 1024],
    ['compressed beyond', 64 * 1024 + 1, 'deflated', 1024],
    ['compressed with 4 MiB', 4 * 1024 ** 2, 'deflated', 32 * 1024],
  ])('are stored %s, and found to the byte', async (key, bytes, field, mostBytes) => {
    const data = new TextEncoder().encode('{"description":"Weld and grind."}'.repeat(bytes / 33 + 1));
    const kept = { ...answer(key), data: data.subarray(0, bytes) };
    await insert(kept);
    const found = await answers.find(key);
    expect(Buffer.compare(found?.data ?? new Uint8Array(), kept.data)).toBe(0);
    expect({ ...found, data: undefined }).toEqual({ ...kept, data: undefined });
    const row = await mongo.collection<Stored>('idempotency').findOne({ _id: key });
    expect(Object.keys(row ?? {}).filter((name) => name === 'data' || name === 'deflated')).toEqual([field]);
    expect((row?.deflated ?? row?.data)?.length()).toBeLessThanOrEqual(mostBytes);
  });

  it('are not there before their transaction commits, nor where it does not', async () => {
    const attempt = write(async (session) => {
      await answers.insert([answer('d')], session);
      expect(await answers.find('d')).toBeUndefined();
      expect(await answers.existingKeys(['d'], session)).toEqual(new Set(['d']));
      throw new Error('given up');
    });
    await expect(attempt).rejects.toThrow('given up');
    expect(await answers.find('d')).toBeUndefined();
  });

  it('take their keys', async () => {
    await insert(answer('e'));
    expect(await existingKeys('e', 'f')).toEqual(new Set(['e']));
    expect(await existingKeys()).toEqual(new Set());
  });

  it('cannot be replaced while they are given again', async () => {
    await insert(answer('g', 1));
    await expect(insert(answer('g', 2))).rejects.toMatchObject({ code: 11_000 });
    expect(await answers.find('g')).toMatchObject({ id: 1 });
  });

  it('are written by one of many that race, and seen by the others', async () => {
    const write = (id: number) =>
      inTransaction(mongo, Date.now() + 10_000, async (session) => {
        if ((await answers.existingKeys(['h'], session)).size > 0) return undefined;
        await answers.insert([answer('h', id)], session);
        return id;
      });
    const ids = (await Promise.all(Array.from({ length: 10 }, (_, id) => write(id)))).filter(
      (id) => id !== undefined,
    );
    expect(ids).toHaveLength(1);
    expect((await answers.find('h'))?.id).toBe(ids[0]);
  });

  it('are given for 24 hours of the service, after which the key is free', async () => {
    await insert(answer('i', 1));
    clock.advance(DAY_MS - 1);
    expect(await answers.find('i')).toMatchObject({ id: 1 });
    clock.advance(1);
    expect(await answers.find('i')).toBeUndefined();
    expect(await existingKeys('i')).toEqual(new Set());
    await insert(answer('i', 2));
    expect(await answers.find('i')).toMatchObject({ id: 2 });
  });

  it('are removed by the server later than that, by its own time', async () => {
    const indexes = await mongo.collection('idempotency').indexes();
    const index = indexes.find(({ name }) => name !== '_id_');
    expect(index).toMatchObject({ key: { removeAt: 1 }, expireAfterSeconds: 0 });
    await insert(answer('j'));
    const row = await mongo.collection<{ _id: string; removeAt: Date }>('idempotency').findOne({ _id: 'j' });
    expect(row?.removeAt.getTime()).toBeGreaterThan(Date.now() + DAY_MS);
  });
});
