import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mongo as driver } from 'mongoose';
import { closeInstant, publishInstant } from '../src/domain/dates.ts';
import { settle, type Transition } from '../src/domain/status.ts';
import { dueStore, type DueStore } from '../src/store/due-store.ts';
import { jobStore } from '../src/store/job-store.ts';
import { tombstoneStore } from '../src/store/tombstone-store.ts';
import { jobsDatabase } from './jobs-database.ts';
import { storedJobs } from './stored-jobs.ts';
import { waitingEvents } from './waiting-events.ts';

const NOON = publishInstant('2026-03-20');
const CLOSING = closeInstant('2026-03-25');
const COMPANY = 1;
const BEFORE = { statusId: 3, version: 4, publishAt: new Date(NOON), closeAt: null } as const;

interface Stored {
  readonly _id: number;
  readonly [field: string]: unknown;
}

const { mongo } = jobsDatabase('settlements-stored');
let due: DueStore;
let nextId = 1;

beforeEach(async () => {
  due = dueStore(mongo());
  for (const name of ['jobs', 'tombstones', 'settlements']) await mongo().collection(name).deleteMany({});
});

const jobs = () => mongo().collection<Stored>('jobs');
const { load } = storedJobs(mongo);
const written = (transitions: readonly Transition[] = []) => ({ transitions, now: NOON, commitBy: Infinity });

/** A job that is published at noon, unless `more` says otherwise. */
const pending = (more: object = {}): Stored => ({
  _id: nextId++,
  companyId: COMPANY,
  ...BEFORE,
  displayDate: '2026-03-20',
  nextTransitionAt: new Date(NOON),
  counts: { view: 0, application: 0, clickThrough: 0 },
  ...more,
});
const put = async (...stored: readonly Stored[]): Promise<number[]> => {
  await jobs().insertMany([...stored]);
  return stored.map(({ _id }) => _id);
};

/** A settlement of pending jobs that somebody has begun. */
async function begin(jobIds: readonly number[], _id = new driver.ObjectId()) {
  const groups = [{ timeline: BEFORE, members: [{ companyId: COMPANY, jobIds }] }];
  const settlements = mongo().collection<{ _id: driver.ObjectId; [field: string]: unknown }>('settlements');
  await settlements.insertOne({ _id, recordedAt: new Date(NOON), groups, open: true });
  return _id;
}
const settledBy = (settlement: driver.ObjectId) => ({
  statusId: 1,
  version: 5,
  nextTransitionAt: null,
  settledBy: settlement,
});

async function settleDue(now: number): Promise<void> {
  for await (const _ of due.settle(undefined, now, 7));
}
const finishLeft = async () => {
  await due.finishLeft();
  await due.finishLeft();
};
const keysOf = async () =>
  new Map([...(await waitingEvents(mongo()))].map(([id, events]) => [id, events.map(({ key }) => key)]));
const openOnes = () => mongo().collection('settlements').countDocuments({ open: true });

describe('a settlement that was left behind', () => {
  it('settles the jobs that it has not come to, and tells of all', async () => {
    const settlement = new driver.ObjectId();
    const [done = 0, undone = 0] = await put(pending(settledBy(settlement)), pending());
    await begin([done, undone], settlement);
    expect(await keysOf()).toEqual(new Map());
    await finishLeft();
    expect(await jobs().findOne({ _id: undone })).toMatchObject({ version: 5, statusId: 1 });
    expect(await keysOf()).toEqual(
      new Map([
        [done, [`job:${done}:5`]],
        [undone, [`job:${undone}:5`]],
      ]),
    );
    expect(await openOnes()).toBe(0);
  });

  it('tells nothing of jobs that someone else was faster with', async () => {
    const [changed = 0] = await put(pending({ version: 5 }));
    const gone = nextId++;
    await begin([changed, gone]);
    await finishLeft();
    expect(await jobs().findOne({ _id: changed })).toMatchObject({ version: 5, statusId: 3 });
    expect(await mongo().collection('settlements').countDocuments()).toBe(0);
  });

  it('tells of jobs that were changed and deleted after it had settled them', async () => {
    const settlement = new driver.ObjectId();
    const [changed = 0, deleted = 0] = await put(
      pending(settledBy(settlement)),
      pending(settledBy(settlement)),
    );
    const before = await load(changed);
    await jobStore(mongo()).replace(before, { ...before, title: 'Another', version: 6 }, written());
    expect(await tombstoneStore(mongo()).bury(await load(deleted), [], NOON, Date.now() + 20_000)).toBe(true);
    await begin([changed, deleted, nextId++], settlement);
    await finishLeft();
    expect([...(await keysOf()).keys()]).toEqual([changed, deleted]);
  });

  it('is left to whoever has just begun it', async () => {
    const [id = 0] = await put(pending());
    await begin([id]);
    await due.finishLeft();
    expect(await jobs().findOne({ _id: id })).toMatchObject({ version: 4 });
  });

  it('is finished before one of its jobs is settled again', async () => {
    const settlement = new driver.ObjectId();
    const again = {
      ...settledBy(settlement),
      closeAt: new Date(CLOSING),
      nextTransitionAt: new Date(CLOSING),
    };
    const [id = 0] = await put(pending(again));
    await begin([id, nextId++], settlement);
    await settleDue(CLOSING);
    expect(await keysOf()).toEqual(new Map([[id, [`job:${id}:5`, `job:${id}:6`]]]));
  });

  it('is told once, however many finish it', async () => {
    const ids = await put(...Array.from({ length: 30 }, () => pending()));
    await begin(ids);
    const stores = Array.from({ length: 4 }, () => dueStore(mongo()));
    for (let look = 0; look < 2; look++) await Promise.all(stores.map((store) => store.finishLeft()));
    expect(await keysOf()).toEqual(new Map(ids.map((id) => [id, [`job:${id}:5`]])));
  });
});

describe('a settlement that failed', () => {
  const allow = (validator: object) => mongo().db?.command({ collMod: 'jobs', validator });
  afterEach(() => allow({}));

  it('is tried again before there is another one', async () => {
    const [id = 0] = await put(pending());
    await allow({ statusId: BEFORE.statusId });
    for (let run = 0; run < 3; run++) await expect(settleDue(NOON)).rejects.toThrow();
    expect(await openOnes()).toBe(1);
    await allow({});
    await settleDue(NOON);
    expect(await keysOf()).toEqual(new Map([[id, [`job:${id}:5`]]]));
    expect(await openOnes()).toBe(0);
  });
});

describe('transitions that are settled while jobs are changed and deleted', () => {
  it('are told once each, by whoever stored them', async () => {
    const ids = await put(...Array.from({ length: 90 }, () => pending()));
    const change = async (id: number) => {
      const stored = await load(id);
      const { job, passed } = settle(stored, NOON);
      const changed = { ...job, title: 'Another', version: job.version + 1 };
      await jobStore(mongo()).replace(stored, changed, written(passed));
    };
    const remove = async (id: number) => {
      const stored = await load(id);
      await tombstoneStore(mongo()).bury(stored, settle(stored, NOON).passed, NOON, Date.now() + 20_000);
    };
    await Promise.all([
      ...[1, 2, 3].map(() => settleDue(NOON)),
      ...ids.filter((_, index) => index % 3 === 0).map(change),
      ...ids.filter((_, index) => index % 3 === 1).map(remove),
    ]);
    // A job that someone was faster with may be due still.
    await settleDue(NOON);
    await finishLeft();
    expect(await openOnes()).toBe(0);
    expect(await keysOf()).toEqual(new Map(ids.map((id) => [id, [`job:${id}:5`]])));
  });
});
