import { expect } from '@jest/globals';
import type { Mongo } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';

interface Totals {
  readonly _id: number;
  readonly totals?: Record<string, number>;
}
interface Days {
  readonly _id: string;
  readonly days: Record<string, Record<string, number>>;
}

/** What is stored for the lists of a company: its jobs by status, and by status and day. */
async function counted(mongo: Mongo, companyId: number) {
  const totals = await mongo.collection<Totals>('list_totals').findOne({ _id: companyId });
  const months = await mongo
    .collection<Days>('list_days')
    .find({ _id: new RegExp(`^${companyId}/`) })
    .toArray();
  const places = months.flatMap(({ _id, days }) =>
    Object.entries(days).flatMap(([day, byStatus]) =>
      Object.entries(byStatus).map(
        ([status, jobs]) => [`${status}/${_id.split('/')[1]}-${day}`, jobs] as const,
      ),
    ),
  );
  return { totals: withoutZeros(Object.entries(totals?.totals ?? {})), places: withoutZeros(places) };
}

/** The same, counted from the jobs. */
async function recounted(mongo: Mongo, companyId: number) {
  const jobs = await mongo
    .collection('jobs')
    .find({ companyId })
    .project<{ statusId: number; displayDate: string }>({ statusId: 1, displayDate: 1 })
    .toArray();
  const by = (keyOf: (job: (typeof jobs)[number]) => string) =>
    withoutZeros([...Map.groupBy(jobs, keyOf)].map(([key, { length }]) => [key, length] as const));
  return {
    totals: by(({ statusId }) => `${statusId}`),
    places: by(({ statusId, displayDate }) => `${statusId}/${displayDate}`),
  };
}

const withoutZeros = (counts: readonly (readonly [string, number])[]) =>
  Object.fromEntries(counts.filter(([, jobs]) => jobs !== 0));

const isCounted = async (mongo: Mongo, companyId: number): Promise<boolean> => {
  const waiting = await Promise.all([
    mongo.collection('jobs').countDocuments({ companyId, counted: null }),
    mongo.collection('tombstones').countDocuments({ companyId, uncounted: true }),
    mongo.collection('list_totals').countDocuments({ $or: [{ recount: true }, { open: { $exists: true } }] }),
  ]);
  return waiting.every((many) => many === 0);
};

/** Waits until nothing is left to count, and compares the counts of a company with its jobs. */
export async function expectExactCounts(mongo: Mongo, companyId: number): Promise<void> {
  await waitFor(() => isCounted(mongo, companyId), {
    what: `company ${companyId} to be counted`,
    limitMs: 60_000,
  });
  expect(await counted(mongo, companyId)).toEqual(await recounted(mongo, companyId));
}
