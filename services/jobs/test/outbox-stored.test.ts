import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { outboxes, type OutboxStore, type OutgoingChunk } from '../src/store/outbox-store.ts';
import { jobsDatabase } from './jobs-database.ts';

interface Stored {
  readonly _id: number;
  readonly companyId: number;
  readonly events?: readonly object[];
}

const { mongo } = jobsDatabase('outbox-stored');
let outbox: OutboxStore;
let ofSettlements: OutboxStore;
let nextId = 1;

beforeAll(() => {
  ({ settlements: ofSettlements, jobs: outbox } = outboxes(mongo()));
});
beforeEach(async () => void (await jobs().deleteMany({})));

const jobs = () => mongo().collection<Stored>('jobs');
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

const waiting = (size = 10, of = outbox): Promise<OutgoingChunk[]> => Array.fromAsync(of.waiting(size));

const idsIn = (chunks: readonly OutgoingChunk[]) =>
  chunks.map(({ outgoing }) => outgoing.map(({ jobId }) => jobId));

async function clearAll(chunks: readonly OutgoingChunk[]): Promise<void> {
  for (const { outgoing, clear } of chunks) await clear(outgoing);
}

const versionsOf = async (id: number) =>
  (await jobs().findOne({ _id: id }))?.events?.map((event) => (event as { version: number }).version);
const add = (id: number, version: number) =>
  jobs().updateOne({ _id: id }, { $push: { events: eventOf(id, version) } });

describe('the outbox', () => {
  it('tells of what has waited longest first, a few at a time', async () => {
    const ids = [await put(5), await put(2), await put(3, 4)];
    expect(idsIn(await waiting(2))).toEqual([[ids[1], ids[2]], [ids[0]]]);
  });

  it('is emptied while it is read', async () => {
    const ids = await Promise.all([1, 2, 3, 4, 5].map((version) => put(version)));
    const told: number[] = [];
    for await (const { outgoing, clear } of outbox.waiting(2)) {
      told.push(...outgoing.map(({ jobId }) => jobId));
      await clear(outgoing);
    }
    expect(told).toHaveLength(ids.length);
    expect(new Set(told)).toEqual(new Set(ids));
    expect(await waiting()).toEqual([]);
  });

  it('loses what was published, and leaves no empty field where that was one', async () => {
    const [one, other, several] = [await put(1), await put(7), await put(1, 2)];
    await clearAll(await waiting());
    expect(await Promise.all([one, other, several].map(versionsOf))).toEqual([undefined, undefined, []]);
  });

  it('keeps what was added meanwhile', async () => {
    const [one, several] = [await put(1), await put(1, 2)];
    const published = await waiting();
    await add(one, 5);
    await add(several, 6);
    await clearAll(published);
    expect(await versionsOf(one)).toContain(5);
    expect(await versionsOf(several)).toEqual([6]);
    await clearAll(await waiting());
    expect(await waiting()).toEqual([]);
  });

  it('keeps what another replica has taken the place of what was published with', async () => {
    const id = await put(1);
    const published = await waiting();
    await jobs().updateOne({ _id: id }, { $set: { events: [eventOf(id, 2)] } });
    await clearAll(published);
    expect(await versionsOf(id)).toEqual([2]);
  });
});

describe('the outbox of settlements', () => {
  const settlements = () => mongo().collection<{ _id: number; [field: string]: unknown }>('settlements');
  const NOON = new Date('2026-03-19T12:00:00Z');
  const timeline = { statusId: 3, version: 4, publishAt: NOON, closeAt: null };

  async function putSettlement(minute: number, jobIds: readonly number[], more: object = {}): Promise<void> {
    const recordedAt = new Date(NOON.getTime() + minute * 60_000);
    const members = [
      { companyId: 1, jobIds: jobIds.slice(0, 2) },
      { companyId: 2, jobIds: jobIds.slice(2) },
    ];
    await settlements().insertOne({ _id: minute, recordedAt, groups: [{ timeline, members }], ...more });
  }
  const ofAll = () => waiting(10, ofSettlements);

  beforeEach(async () => void (await settlements().deleteMany({})));

  it('tells of each one by itself, the oldest first, with the transition of each job', async () => {
    await putSettlement(2, [21]);
    await putSettlement(1, [11, 12, 13]);
    const chunks = await ofAll();
    expect(idsIn(chunks)).toEqual([[11, 12, 13], [21]]);
    const recordedAt = new Date(NOON.getTime() + 60_000);
    expect(chunks[0]?.outgoing[2]).toEqual({
      jobId: 13,
      companyId: 2,
      events: [{ key: 'job:13:5', version: 5, statusId: 1, at: NOON, recordedAt }],
    });
  });

  it('tells nothing of one that is open, nor of jobs that were lost', async () => {
    await putSettlement(1, [11, 12, 13], { open: true });
    await putSettlement(2, [21, 22, 23], { lost: [22] });
    expect(idsIn(await ofAll())).toEqual([[21, 23]]);
  });

  it('drops one that was published', async () => {
    await putSettlement(1, [11, 12, 13], { lost: [12] });
    await clearAll(await ofAll());
    expect(await settlements().countDocuments()).toBe(0);
  });

  it('keeps what was not published', async () => {
    await putSettlement(1, [11, 12, 13, 14], { lost: [14] });
    const [chunk] = await ofAll();
    await chunk?.clear(chunk.outgoing.filter(({ jobId }) => jobId !== 12));
    expect(idsIn(await ofAll())).toEqual([[12]]);
  });

  it('is empty where two have published a half each', async () => {
    await putSettlement(1, [11, 12]);
    for (const half of [11, 12]) {
      const [chunk] = await ofAll();
      await chunk?.clear(chunk.outgoing.filter(({ jobId }) => jobId === half));
    }
    await clearAll(await ofAll());
    expect(await settlements().countDocuments()).toBe(0);
  });

  it('says since when the oldest one waits, be it open', async () => {
    expect(await ofSettlements.waitingSince()).toBeUndefined();
    await putSettlement(2, [21]);
    await putSettlement(1, [11], { open: true });
    expect(await ofSettlements.waitingSince()).toBe(NOON.getTime() + 60_000);
  });
});
