import { describe, expect, it } from '@jest/globals';
import { closeInstant, publishInstant } from '../src/domain/dates.ts';
import { dueStore } from '../src/store/due-store.ts';
import { jobsDatabase } from './jobs-database.ts';
import { waitingEvents } from './waiting-events.ts';

const NOON = Date.parse('2026-03-19T12:00:00Z');
const EARLIER = new Date('2026-03-10T12:00:00Z');
const counted = 3;
const waiting = { key: 'job:1:1', version: 1, statusId: 2, at: EARLIER, recordedAt: EARLIER };

interface Stored {
  readonly _id: number;
  readonly [field: string]: unknown;
}

const { mongo } = jobsDatabase('settle-stored');
let nextId = 1;

const jobs = () => mongo().collection<Stored>('jobs');

/** A job that is published at noon, unless `more` says otherwise. */
const pending = (publishDate: string, closeDate: string | null, more: object = {}): Stored => ({
  _id: nextId++,
  companyId: 1,
  statusId: 3,
  version: 4,
  displayDate: publishDate,
  publishAt: new Date(publishInstant(publishDate)),
  closeAt: closeDate === null ? null : new Date(closeInstant(closeDate)),
  nextTransitionAt: new Date(NOON),
  counted,
  ...more,
});
const published = (publishDate: string, closeDate: string, more: object = {}): Stored =>
  pending(publishDate, closeDate, { statusId: 1, ...more });

/** Two at a time. Resolves to how many were due. */
async function settleDue(now: number): Promise<number> {
  let settled = 0;
  for await (const some of dueStore(mongo()).settle(undefined, now, 2)) settled += some;
  return settled;
}

/** What is to be published of the job, in the order of its versions. */
const eventsOf = async ({ _id }: Stored) => (await waitingEvents(mongo())).get(_id);

async function settleAll(stored: readonly Stored[], now = NOON): Promise<Stored[]> {
  await jobs().insertMany([...stored]);
  await settleDue(now);
  const ids = stored.map(({ _id }) => _id);
  return jobs()
    .find({ _id: { $in: ids } })
    .sort({ _id: 1 })
    .toArray();
}

async function settleOne(stored: Stored, now = NOON): Promise<Stored | undefined> {
  const [settled] = await settleAll([stored], now);
  return settled;
}

const eventOf = (id: number, version: number, statusId: number, at = NOON, now = NOON) => ({
  key: `job:${id}:${version}`,
  version,
  statusId,
  at: new Date(at),
  recordedAt: new Date(now),
});

describe('settling stored jobs', () => {
  it('gives each of them its own status, version, dates and event, whatever they have in common', async () => {
    const stored = [
      pending('2026-03-20', null),
      pending('2026-03-20', '2026-04-01'),
      pending('2026-03-20', '2026-04-02'),
      pending('2026-03-20', null, { version: 7 }),
      published('2026-02-01', '2026-03-19'),
      published('2026-02-02', '2026-03-19', { version: 9 }),
    ];
    const settled = await settleAll(stored);
    const events = await waitingEvents(mongo());
    const shown = settled.map(({ _id, statusId, version, displayDate, nextTransitionAt }) => [
      statusId,
      version,
      displayDate,
      (nextTransitionAt as Date | undefined)?.toISOString().slice(0, 10),
      events.get(_id),
    ]);
    const idAt = (index: number) => stored[index]?._id ?? 0;
    expect(shown).toEqual([
      [1, 5, '2026-03-20', undefined, [eventOf(idAt(0), 5, 1)]],
      [1, 5, '2026-03-20', day(stored[1]), [eventOf(idAt(1), 5, 1)]],
      [1, 5, '2026-03-20', day(stored[2]), [eventOf(idAt(2), 5, 1)]],
      [1, 8, '2026-03-20', undefined, [eventOf(idAt(3), 8, 1)]],
      [2, 5, '2026-03-19', undefined, [eventOf(idAt(4), 5, 2)]],
      [2, 10, '2026-03-19', undefined, [eventOf(idAt(5), 10, 2)]],
    ]);
  });

  it('stores no field that a job has none of', async () => {
    const { nextTransitionAt, ...stored } = pending('2026-03-20', null);
    const settled = await settleOne({ ...stored, nextTransitionAt });
    expect(settled).toEqual({
      ...stored,
      statusId: 1,
      version: 5,
      uncounted: true,
      settledBy: expect.anything(),
    });
  });

  it('leaves the events alone that a request has left in the job', async () => {
    const stored = pending('2026-03-20', null, { events: [waiting] });
    const settled = await settleOne(stored);
    expect(settled?.['events']).toEqual([waiting]);
    expect(await eventsOf(stored)).toEqual([waiting, eventOf(stored._id, 5, 1)]);
  });

  it('stores each of several transitions that have passed', async () => {
    const stored = pending('2026-03-20', '2026-03-25');
    const later = Date.parse('2026-06-01T00:00:00Z');
    const settled = await settleOne(stored, later);
    expect(settled).toMatchObject({ statusId: 2, version: 6, displayDate: '2026-03-25' });
    expect(await eventsOf(stored)).toEqual([
      eventOf(stored._id, 5, 1, NOON, later),
      eventOf(stored._id, 6, 2, closeInstant('2026-03-25'), later),
    ]);
  });

  it('names an event by an id of any size', async () => {
    for (const _id of [2 ** 31, 3_000_000_000_001, Number.MAX_SAFE_INTEGER]) {
      const stored = pending('2026-03-20', null, { _id });
      await settleOne(stored);
      expect(await eventsOf(stored)).toEqual([eventOf(_id, 5, 1)]);
    }
  });

  it('corrects an instant that is wrong, moves nothing and tells nothing', async () => {
    const stored = pending('2026-03-22', null);
    const settled = await settleOne(stored);
    const nextTransitionAt = stored['publishAt'];
    expect(settled).toEqual({ ...stored, nextTransitionAt, settledBy: expect.anything() });
    expect(await eventsOf(stored)).toBeUndefined();
  });

  it('does nothing for a job that another one was faster with', async () => {
    const stored = pending('2026-03-20', null);
    await jobs().insertOne(stored);
    const settled = await Promise.all([1, 2, 3].map(() => settleDue(NOON)));
    expect(settled).toContain(1);
    expect(await jobs().findOne({ _id: stored._id })).toMatchObject({ version: 5 });
    expect(await eventsOf(stored)).toEqual([eventOf(stored._id, 5, 1)]);
  });
});

describe('a settled job of the lists', () => {
  it('is to be counted anew', async () => {
    const settled = await settleOne(pending('2026-03-20', null));
    expect(settled).toMatchObject({ counted, uncounted: true });
  });
});

const day = (stored: Stored | undefined) =>
  (stored?.['closeAt'] as Date | undefined)?.toISOString().slice(0, 10);
