import { inTransaction, type Mongo } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import type { Job } from '../domain/job.ts';
import type { Transition } from '../domain/status.ts';
import {
  cleaningIndex,
  jobsOf,
  type TombstoneDocument,
  tombstonesName,
  tombstonesOf,
} from './collections.ts';
import { isAnyIn } from './is-any.ts';
import { type JobDocument, toEvents } from './job-document.ts';

export type TombstoneStore = ReturnType<typeof tombstoneStore>;

/** How long a tombstone stays once its job is cleaned up everywhere: longer than any answer in it is given. */
const KEPT_MS = 25 * 3600_000;

const countedFields = { counted: 1 } as const;

function tombstoneOf(
  { id, company }: Job,
  now: number,
  { counted }: Pick<JobDocument, 'counted'>,
): TombstoneDocument {
  return {
    _id: id,
    companyId: company.id,
    deletedAt: new Date(now),
    cleaning: true,
    uncounted: true,
    ...(counted && { counted }),
  };
}

/** Deleted jobs, until nothing is left of them in other services. */
export function tombstoneStore(mongo: Mongo) {
  const jobs = jobsOf(mongo);
  const tombstones = tombstonesOf(mongo);
  const isAny = isAnyIn<TombstoneDocument>(mongo, tombstonesName);

  /** An answer that has expired stays in its tombstone; it must not keep a later one out. */
  const freeKey = (key: string, session: ClientSession) =>
    tombstones.updateOne({ 'idempotency.key': key }, { $unset: { idempotency: '' } }, { session });

  return {
    /**
     * Deletes the job if it is still stored at `version`, and leaves a tombstone with the transitions that are
     * still to be published, those `passed` among them, and the kept answer, in one transaction. Resolves to
     * whether it did.
     * @param now epoch milliseconds
     */
    bury: (stored: Job, passed: readonly Transition[], now: number, deadline: number): Promise<boolean> =>
      inTransaction(mongo, deadline, async (session) => {
        const { id, version } = stored;
        const projection = { events: 1, settledBy: 1, idempotency: 1, ...countedFields } as const;
        const found = await jobs.findOneAndDelete({ _id: id, version }, { projection, session });
        if (!found) return false;
        const { idempotency, settledBy } = found;
        if (idempotency) await freeKey(idempotency.key, session);
        const events = [...(found.events ?? []), ...toEvents(id, passed, now)];
        await tombstones.insertOne(
          {
            ...tombstoneOf(stored, now, found),
            ...(events.length > 0 && { events }),
            ...(settledBy && { settledBy }),
            ...(idempotency && { idempotency }),
          },
          { session },
        );
        return true;
      }),

    /**
     * Deletes a job that should not have been made, whatever became of it. Its transitions and its kept answer go
     * with it, told to nobody unless they are being told already; the tombstone is there for the clean-up.
     * @param now epoch milliseconds
     */
    discard: (job: Job, now: number, deadline: number): Promise<void> =>
      inTransaction(mongo, deadline, async (session) => {
        const found = await jobs.findOneAndDelete({ _id: job.id }, { projection: countedFields, session });
        if (found) await tombstones.insertOne(tombstoneOf(job, now, found), { session });
      }),

    /** Jobs that are still to be cleaned up, the oldest first. */
    uncleaned: async (limit: number): Promise<number[]> => {
      if (!(await isAny({ cleaning: true }, cleaningIndex))) return [];
      const found = await tombstones
        .find({ cleaning: true })
        .project<{ _id: number }>({ _id: 1 })
        .sort({ deletedAt: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },

    /** Sets the end by the machine's time: the database removes by its own, wherever the service's clock was moved. */
    markCleaned: async (jobIds: readonly number[]): Promise<void> => {
      await tombstones.updateMany(
        { _id: { $in: [...jobIds] } },
        { $unset: { cleaning: '' }, $set: { expireAt: new Date(Date.now() + KEPT_MS) } },
      );
    },
  };
}
