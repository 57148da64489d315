import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connectMongo, type Mongo } from '@joblisting/service-kit';
import { databasePrefix, testMongoUri } from '@joblisting/testing';
import { createIndexes } from '../src/store/collections.ts';
import { outboxes, type OutboxStore, type Outgoing } from '../src/store/outbox-store.ts';

interface Stored {
  readonly _id: number;
  readonly companyId: number;
  readonly events?: readonly object[];
}

let mongo: Mongo;
let outbox: OutboxStore;
let nextId = 1;

beforeAll(async () => {
  mongo = await connectMongo(testMongoUri(), `${databasePrefix()}outbox-stored`);
  await createIndexes(mongo);
  [outbox] = outboxes(mongo) as [OutboxStore, OutboxStore];
});
afterAll(async () => {
  await mongo.dropDatabase();
  await mongo.close();
});
beforeEach(async () => void (await jobs().deleteMany({})));

const jobs = () => mongo.collection<Stored>('jobs');
const eventOf = (id: number, version: number, minute = version) => ({
  key: `job:${id}:${version}`,
  version,
  statusId: 1,
  at: new Date(0),
  recordedAt: new Date(minute * 60_000),
});

async function put(...versions: readonly number[]): Promise<number> {
  const _id = nextId++;
  const events = versions.map((version) => eventOf(_id, version));
  await jobs().insertOne({ _id, companyId: 1, events });
  return _id;
}

async function waiting(size = 10): Promise<Outgoing[][]> {
  const chunks: Outgoing[][] = [];
  for await (const chunk of outbox.waiting(size)) chunks.push(chunk);
  return chunks;
}

const versionsOf = async (id: number) =>
  (await jobs().findOne({ _id: id }))?.events?.map((event) => (event as { version: number }).version);
const add = (id: number, version: number) =>
  jobs().updateOne({ _id: id }, { $push: { events: eventOf(id, version) } });

describe('the outbox', () => {
  it('tells of what has waited longest first, a few at a time', async () => {
    const ids = [await put(5), await put(2), await put(3, 4)];
    const chunks = await waiting(2);
    expect(chunks.map((chunk) => chunk.map(({ jobId }) => jobId))).toEqual([[ids[1], ids[2]], [ids[0]]]);
  });

  it('is emptied while it is read', async () => {
    const ids = await Promise.all([1, 2, 3, 4, 5].map((version) => put(version)));
    const told: number[] = [];
    for await (const chunk of outbox.waiting(2)) {
      told.push(...chunk.map(({ jobId }) => jobId));
      await outbox.clear(chunk);
    }
    expect(told).toHaveLength(ids.length);
    expect(new Set(told)).toEqual(new Set(ids));
    expect(await waiting()).toEqual([]);
  });

  it('loses what was published, and leaves no empty field where that was one', async () => {
    const [one, other, several] = [await put(1), await put(7), await put(1, 2)];
    await outbox.clear((await waiting()).flat());
    expect(await Promise.all([one, other, several].map(versionsOf))).toEqual([undefined, undefined, []]);
  });

  it('keeps what was added meanwhile', async () => {
    const [one, several] = [await put(1), await put(1, 2)];
    const published = (await waiting()).flat();
    await add(one, 5);
    await add(several, 6);
    await outbox.clear(published);
    expect(await versionsOf(one)).toContain(5);
    expect(await versionsOf(several)).toEqual([6]);
    await outbox.clear((await waiting()).flat());
    expect(await waiting()).toEqual([]);
  });

  it('keeps what another replica has taken the place of what was published with', async () => {
    const id = await put(1);
    const published = (await waiting()).flat();
    await jobs().updateOne({ _id: id }, { $set: { events: [eventOf(id, 2)] } });
    await outbox.clear(published);
    expect(await versionsOf(id)).toEqual([2]);
  });
});
