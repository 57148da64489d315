import { expect, it } from '@jest/globals';
import { migrate } from '../src/store/migrate.ts';
import { jobsDatabase } from './jobs-database.ts';

interface Stored {
  readonly _id: number;
  readonly [field: string]: unknown;
}

const { mongo } = jobsDatabase('migrate');
const collection = (name: string) => mongo().collection<Stored>(name);
const at = new Date('2026-03-10T12:00:00Z');
const change = (kind: string, version: number, statusId: number) => ({
  kind,
  version,
  companyId: 1,
  statusId,
  at,
});

it('brings the data of 1.0.0 to this release once', async () => {
  const event = { key: 'job:2:3', version: 3, statusId: 1, at, recordedAt: at };
  const place = { statusId: 1, displayDate: '2026-03-01', batch: 'b' };
  await collection('jobs').insertMany([
    { _id: 1, companyId: 1, version: 2, statusId: 1, counted: place, settledBy: 's' },
    { _id: 2, companyId: 1, version: 3, statusId: 1, miscounted: place, events: [event] },
  ]);
  await collection('tombstones').insertMany([
    { _id: 3, companyId: 1, deletedAt: at, counted: place, events: [{ ...event, version: 4, statusId: 2 }] },
  ]);
  for (const name of ['list_days', 'settlements']) await collection(name).insertOne({ _id: 1 });
  await collection('list_totals').insertOne({ _id: 1, writes: 3, totals: { 1: 7 } });

  await migrate(mongo());
  const jobs = [
    { _id: 1, companyId: 1, version: 2, statusId: 1, uncounted: true },
    { _id: 2, companyId: 1, version: 3, statusId: 1, change: change('published', 3, 1), uncounted: true },
  ];
  expect(await collection('jobs').find().sort({ _id: 1 }).toArray()).toEqual(jobs);
  expect(await collection('tombstones').find().toArray()).toEqual([
    { _id: 3, companyId: 1, deletedAt: at, change: change('closed', 4, 2), uncounted: true },
  ]);

  await collection('jobs').updateOne({ _id: 1 }, { $set: { counted: 1 }, $unset: { uncounted: '' } });
  await collection('list_totals').insertOne({ _id: 1, totals: { 1: 1 } });
  await migrate(mongo());
  expect(await collection('jobs').findOne({ _id: 1 })).toMatchObject({ counted: 1 });
  expect(await collection('list_totals').countDocuments()).toBe(1);
});
