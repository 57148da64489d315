import type { Mongo } from '@joblisting/service-kit';
import { isSamePlace, type Place } from '../domain/list-place.ts';
import { jobsOf, listTotalsOf, stillCounted, tombstonesOf, uncounted } from './collections.ts';
import { ALL_COMPANIES, type CountedPlace, type OpenBatch } from './list-documents.ts';

/** A job as a batch finds it. What has moved it since has given it another version. */
interface Found extends Place {
  readonly _id: number;
  readonly version: number;
  readonly counted?: CountedPlace | null;
  readonly miscounted?: CountedPlace;
}

const fields = { version: 1, statusId: 1, displayDate: 1, counted: 1, miscounted: 1 } as const;

/** These jobs, all of one version, as they were found. */
const same = (some: readonly Found[]) => ({
  _id: { $in: some.map(({ _id }) => _id) },
  version: some[0]?.version as number,
  ...uncounted,
});

/** Tells the jobs of a batch that they are counted. */
export function listBatches(mongo: Mongo) {
  const jobs = jobsOf(mongo);
  const tombstones = tombstonesOf(mongo);
  const totals = listTotalsOf(mongo);

  const find = (batch: OpenBatch): Promise<Found[]> =>
    jobs
      .find({ _id: { $in: batch.jobs.map(({ id }) => id) } })
      .project<Found>(fields)
      .toArray();

  /**
   * Those that are in their place still are told by few statements, whatever places that are: one statement for each
   * cost the database five times as much.
   */
  const tellSettled = (some: readonly Found[], { since, batch }: CountedPlace) => {
    const counted = { statusId: '$statusId', displayDate: '$displayDate', ...(since && { since }), batch };
    return { updateMany: { filter: same(some), update: [{ $set: { counted } }, { $unset: 'miscounted' }] } };
  };

  const tellMoved = (some: readonly Found[], miscounted: CountedPlace) => ({
    updateMany: { filter: same(some), update: { $set: { miscounted } } },
  });

  /** What moves or is told meanwhile is passed by. Resolves to how many are told. */
  const tell = async (found: readonly Found[], placeOf: (id: number) => CountedPlace): Promise<number> => {
    const alike = Map.groupBy(found, (job) => {
      const { statusId, displayDate, since } = placeOf(job._id);
      const settled = isSamePlace(job, { statusId, displayDate });
      return [job.version, since?.getTime(), ...(settled ? [] : [statusId, displayDate])].join('/');
    });
    const writes = [...alike.values()].map((some) => {
      const [first] = some as [Found];
      const place = placeOf(first._id);
      return isSamePlace(first, place) ? tellSettled(some, place) : tellMoved(some, place);
    });
    return writes.length === 0 ? 0 : (await jobs.bulkWrite(writes, { ordered: false })).matchedCount;
  };

  /** Of a job that was deleted since, the tombstone is told. */
  const tellTombstones = async (missing: OpenBatch['jobs']): Promise<void> => {
    const writes = missing.map(({ id, place }) => ({
      updateOne: { filter: { _id: id, ...stillCounted }, update: { $set: { counted: place } } },
    }));
    if (writes.length > 0) await tombstones.bulkWrite(writes, { ordered: false });
  };

  const isOpen = async ({ batch }: OpenBatch): Promise<boolean> => {
    const state = await totals.findOne(
      { _id: ALL_COMPANIES, 'open.batch': batch },
      { projection: { _id: 1 } },
    );
    return state !== null;
  };

  return {
    /** Several may do so at once, and again: each job is told once. */
    finish: async (batch: OpenBatch): Promise<void> => {
      const places = new Map(batch.jobs.map(({ id, place }) => [id, place]));
      const placeOf = (id: number) => places.get(id) as CountedPlace;
      for (;;) {
        const found = await find(batch);
        // Someone else has finished it: what was found may be counted by a later batch.
        if (!(await isOpen(batch))) return;
        const untold = found.filter(
          ({ counted, miscounted }) => !(counted ?? miscounted)?.batch.equals(batch.batch),
        );
        const told = await tell(untold, placeOf);
        if (told < untold.length) continue;
        const existing = new Set(found.map(({ _id }) => _id));
        await tellTombstones(batch.jobs.filter(({ id }) => !existing.has(id)));
        break;
      }
      const gone = { _id: { $in: [...batch.gone] } };
      if (batch.gone.length > 0)
        await tombstones.updateMany(gone, { $unset: { uncounted: '', counted: '' } });
      await totals.updateOne(
        { _id: ALL_COMPANIES, 'open.batch': batch.batch },
        { $unset: { open: '' }, $inc: { writes: 1 } },
      );
    },
  };
}
