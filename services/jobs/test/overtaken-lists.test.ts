import { type StatusId, status } from '@joblisting/contracts';
import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@joblisting/testing';
import { closeInstant, dateOf, publishInstant } from '../src/domain/dates.ts';
import { displayDate, nextTransitionAt, statusAt } from '../src/domain/status.ts';
import { dueStore } from '../src/store/due-store.ts';
import { listStore } from '../src/store/list-store.ts';
import { countedLists } from './counted-lists.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-03-10T15:15:00Z');
const NOON = Date.parse('2026-03-19T12:00:00Z');
const LISTS = [undefined, status.published, status.closed, status.pending, status.draft] as const;

const { mongo, jobs, countAll } = countedLists('overtaken-lists');
let nextId = 1;

/** A job as it is stored at `START`, unless it is a draft. */
function stored(companyId: number, publishDate: string, closeDate: string | null, draft = false) {
  const statusId = draft ? status.draft : statusAt({ publishDate, closeDate }, START);
  const timeline = { publishDate, closeDate, statusId, version: 1 };
  const next = nextTransitionAt(timeline);
  return {
    _id: nextId++,
    companyId,
    companyName: `Company ${companyId}`,
    statusId,
    version: 1,
    displayDate: displayDate(timeline),
    publishAt: new Date(publishInstant(publishDate)),
    closeAt: closeDate === null ? null : new Date(closeInstant(closeDate)),
    ...(next !== null && { nextTransitionAt: new Date(next) }),
    employer: null,
    title: `Job ${nextId}`,
    city: null,
    province: null,
    counts: { view: 0, application: 0, clickThrough: 0 },
  };
}

const dateIn = (days: number): string => dateOf(START + days * DAY_MS);

const page = (companyId: number, now: number, statusId?: StatusId, more: object = {}) =>
  listStore(mongo()).page({ companyId, statusId, page: 1, pageSize: 50, ...more }, now);

/** Pages of every list of a company, two of them past its end. */
async function allPages(companyId: number, now: number) {
  const pages = LISTS.flatMap((statusId) =>
    [1, 2, 3, 4, 40].map(async (number) => [
      `status ${statusId}, page ${number}`,
      await page(companyId, now, statusId, { page: number, pageSize: 9 }),
    ]),
  );
  return Object.fromEntries(await Promise.all(pages)) as Record<string, object | undefined>;
}

/** All that is due, or no more than some chunks of it. Resolves to how many jobs that were. */
async function settle(now: number, chunks = Infinity): Promise<number> {
  let settled = 0;
  let chunk = 0;
  if (chunks === 0) return jobs().countDocuments({ nextTransitionAt: { $lte: new Date(now) } });
  for await (const many of dueStore(mongo()).settle(undefined, now, 3)) {
    settled += many;
    if (++chunk === chunks) break;
  }
  return settled;
}

describe('lists while transitions that have come are not stored', () => {
  it.each([
    ['are counted', 'are closed days after they are published'],
    ['are not counted', 'are closed days after they are published'],
    ['are counted', 'are closed at any time'],
  ])('are what they are once these are stored, of jobs that %s and %s', async (state, closing) => {
    const companyId = nextId;
    const random = seededRandom(companyId);
    const below = (limit: number) => Math.floor(random() * limit);
    const isLater = closing === 'are closed days after they are published';
    const some = Array.from({ length: 150 }, () => {
      const publishIn = below(16) - 6;
      const closeIn = isLater ? publishIn + 1 + below(6) : publishIn - 2 + below(6);
      return stored(companyId, dateIn(publishIn), below(3) === 0 ? null : dateIn(closeIn), below(12) === 0);
    });
    await jobs().insertMany(some);
    let compared = 0;
    for (let now = START; now < START + 20 * DAY_MS; now += DAY_MS / 2) {
      if (state === 'are counted') await countAll();
      const isDue = (await settle(now, below(4))) > 0;
      const before = await allPages(companyId, now);
      await settle(now);
      const after = await allPages(companyId, now);
      for (const [name, page] of Object.entries(before)) {
        if (page === undefined && !isLater) continue;
        expect({ name, page }).toEqual({ name, page: after[name] });
        if (isDue) compared++;
      }
    }
    expect(compared).toBeGreaterThan(200);
  });

  it('have no total below what they show, though what is counted was wrong', async () => {
    await jobs().insertMany([stored(102, '2026-03-20', null), stored(102, '2026-03-20', null)]);
    await countAll();
    const counts = mongo().collection<{ _id: number }>('list_totals');
    await counts.updateOne({ _id: 102 }, { $set: { 'totals.3': 0, 'totals.1': 9 } });
    expect((await page(102, NOON, status.pending))?.total).toBe(0);
    expect((await page(102, NOON, status.published))?.total).toBe(2);
  });

  it('show a job in its new place that is published, and one that is closed', async () => {
    const companyId = 100;
    const some = [
      stored(companyId, '2026-03-20', null),
      stored(companyId, '2026-03-01', '2026-03-19'),
      stored(companyId, '2026-03-10', null),
      stored(companyId, '2026-03-21', null),
    ];
    await jobs().insertMany(some);
    const [published, closed, same, pending] = some.map(({ _id }) => _id);
    const shown = async (statusId?: StatusId) => {
      const found = await page(companyId, NOON, statusId);
      return [found?.total, found?.jobs.map((job) => [job.id, job.statusId, job.displayDate])];
    };
    expect(await shown()).toEqual([
      4,
      [
        [pending, 3, '2026-03-21'],
        [published, 1, '2026-03-20'],
        [closed, 2, '2026-03-19'],
        [same, 1, '2026-03-10'],
      ],
    ]);
    expect(await shown(status.published)).toEqual([
      2,
      [
        [published, 1, '2026-03-20'],
        [same, 1, '2026-03-10'],
      ],
    ]);
    expect(await shown(status.closed)).toEqual([1, [[closed, 2, '2026-03-19']]]);
    expect(await shown(status.pending)).toEqual([1, [[pending, 3, '2026-03-21']]]);
  });

  it('show a job once that is closed on the day of its publishDate', async () => {
    await jobs().insertOne(stored(101, '2026-03-11', '2026-03-11'));
    const now = closeInstant('2026-03-11');
    for (const statusId of [undefined, status.closed]) {
      const found = await page(101, now, statusId);
      expect([found?.total, found?.jobs.length]).toEqual([1, 1]);
    }
  });
});

describe('a list that has to be settled first', () => {
  it('is one of a status that jobs have passed by from Pending to Closed; all others are told', async () => {
    await jobs().insertMany([
      stored(110, '2026-03-12', '2026-03-14'),
      stored(110, '2026-03-05', null),
      stored(110, '2026-03-12', null),
    ]);
    const now = closeInstant('2026-03-14');
    const told = await Promise.all(
      LISTS.map(async (statusId) => (await page(110, now, statusId))?.jobs.length),
    );
    expect(told).toEqual([3, undefined, 1, undefined, 0]);
  });

  it('is one whose first jobs have nearly all left', async () => {
    const closing = Array.from({ length: 560 }, () => stored(111, '2026-03-09', '2026-03-19'));
    await jobs().insertMany([...closing, stored(111, '2026-03-05', null)]);
    expect(await page(111, NOON, status.published)).toBeUndefined();
    expect((await page(111, NOON, status.closed))?.total).toBe(560);
    await settle(NOON);
    expect((await page(111, NOON, status.published))?.total).toBe(1);
  });

  it('is far down', async () => {
    const some = Array.from({ length: 600 }, () => stored(112, '2026-03-09', null));
    await jobs().insertMany([...some, stored(112, '2026-03-12', null)]);
    const now = publishInstant('2026-03-12');
    expect((await page(112, now, undefined, { page: 11 }))?.total).toBe(601);
    expect(await page(112, now, undefined, { page: 12 })).toBeUndefined();
  });
});
