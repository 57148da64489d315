import { describe, expect, it } from '@jest/globals';
import { closeInstant, publishInstant } from '../src/domain/dates.ts';
import { dueStore } from '../src/store/due-store.ts';
import { settleDue } from '../src/tasks/settle-due.ts';
import { jobsDatabase } from './jobs-database.ts';

const NOON = Date.parse('2026-03-19T12:00:00Z');

interface Stored {
  readonly _id: number;
  readonly companyId: number;
  readonly [field: string]: unknown;
}

const { mongo } = jobsDatabase('settle-stored');
let nextId = 1;

const jobs = () => mongo().collection<Stored>('jobs');
const settle = () => settleDue(dueStore(mongo()), new AbortController().signal);

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
  counted: 3,
  ...more,
});
const published = (publishDate: string, closeDate: string, more: object = {}): Stored =>
  pending(publishDate, closeDate, { statusId: 1, ...more });

async function settleAll(stored: readonly Stored[], now = NOON): Promise<Stored[]> {
  await jobs().insertMany([...stored]);
  await settle().all(now);
  return jobs()
    .find({ _id: { $in: stored.map(({ _id }) => _id) } })
    .sort({ _id: 1 })
    .toArray();
}

const changeOf = (kind: string, version: number, statusId: number, at = NOON) => ({
  kind,
  version,
  companyId: 1,
  statusId,
  at: new Date(at),
});

describe('settling stored jobs', () => {
  it('gives each of them its own status, version, dates and change, whatever they have in common', async () => {
    const stored = [
      pending('2026-03-20', null),
      pending('2026-03-20', '2026-04-01'),
      pending('2026-03-20', '2026-04-02'),
      pending('2026-03-20', null, { version: 7 }),
      published('2026-02-01', '2026-03-19'),
      published('2026-02-02', '2026-03-19', { version: 9 }),
      pending('2026-03-20', null, { companyId: 2 }),
    ];
    const settled = await settleAll(stored);
    const shown = settled.map(({ statusId, version, displayDate, nextTransitionAt, change }) => [
      statusId,
      version,
      displayDate,
      (nextTransitionAt as Date | undefined)?.toISOString().slice(0, 10),
      change,
    ]);
    expect(shown).toEqual([
      [1, 5, '2026-03-20', undefined, changeOf('published', 5, 1)],
      [1, 5, '2026-03-20', '2026-04-01', changeOf('published', 5, 1)],
      [1, 5, '2026-03-20', '2026-04-02', changeOf('published', 5, 1)],
      [1, 8, '2026-03-20', undefined, changeOf('published', 8, 1)],
      [2, 5, '2026-03-19', undefined, changeOf('closed', 5, 2)],
      [2, 10, '2026-03-19', undefined, changeOf('closed', 10, 2)],
      [1, 5, '2026-03-20', undefined, { ...changeOf('published', 5, 1), companyId: 2 }],
    ]);
  });

  it('marks them for the totals, and adds no field that the job lacks', async () => {
    const { nextTransitionAt, ...stored } = pending('2026-03-20', null);
    const [settled] = await settleAll([{ ...stored, nextTransitionAt }]);
    expect(settled).toEqual({
      ...stored,
      statusId: 1,
      version: 5,
      change: changeOf('published', 5, 1),
      uncounted: true,
    });
  });

  it('stores each of several transitions that have come', async () => {
    const [settled] = await settleAll(
      [pending('2026-03-20', '2026-03-25')],
      Date.parse('2026-06-01T00:00:00Z'),
    );
    const change = changeOf('closed', 6, 2, closeInstant('2026-03-25'));
    expect(settled).toMatchObject({ statusId: 2, version: 6, displayDate: '2026-03-25', change });
  });

  it('corrects an instant that is wrong, and changes nothing else', async () => {
    const stored = pending('2026-03-22', null);
    const [settled] = await settleAll([stored]);
    expect(settled).toEqual({ ...stored, nextTransitionAt: stored['publishAt'] });
  });

  it('drops an instant that will not come', async () => {
    const { nextTransitionAt, ...stored } = pending('2026-03-20', null, { statusId: 5 });
    const [settled] = await settleAll([{ ...stored, nextTransitionAt }]);
    expect(settled).toEqual(stored);
  });

  it('stores a transition once, however many settle at once', async () => {
    const stored = pending('2026-03-20', null);
    await jobs().insertOne(stored);
    await Promise.all([1, 2, 3].map(() => settle().all(NOON)));
    expect(await jobs().findOne({ _id: stored._id })).toMatchObject({ version: 5 });
  });
});

describe('settling before a company is listed', () => {
  it('settles all of its jobs, and no others', async () => {
    const own = Array.from({ length: 2500 }, () => pending('2026-03-20', null, { companyId: 11 }));
    const other = pending('2026-03-20', null, { companyId: 12 });
    await jobs().insertMany([...own, other]);
    const one = settle();
    await Promise.all([1, 2, 3].map(() => one.ofCompany(11, NOON, Date.now() + 10_000)));
    expect(await jobs().countDocuments({ companyId: 11, statusId: 3 })).toBe(0);
    expect(await jobs().countDocuments({ companyId: 12, statusId: 3 })).toBe(1);
  });

  it('is refused if it takes too long, and a later request continues it', async () => {
    const many = Array.from({ length: 3000 }, () => pending('2026-03-20', null, { companyId: 13 }));
    await jobs().insertMany(many);
    const one = settle();
    await expect(one.ofCompany(13, NOON, Date.now() + 301)).rejects.toMatchObject({
      code: 'overloaded',
      reason: 'transitions_pending',
    });
    await one.ofCompany(13, NOON, Date.now() + 10_000);
    expect(await jobs().countDocuments({ companyId: 13, statusId: 3 })).toBe(0);
  });
});
