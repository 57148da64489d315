import { inTransaction, type Mongo, type StoredAnswer } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import type { Change } from '../domain/change.ts';
import type { Job } from '../domain/job.ts';
import { toChangeDocument } from '../models/change.ts';
import { type JobDocument, jobModel } from '../models/job.ts';
import { tombstoneModel } from '../models/tombstone.ts';
import { WriteConflict } from './job-store.ts';

export type TombstoneStore = ReturnType<typeof tombstoneStore>;

/**
 * How long a tombstone stays once its job is cleaned up: longer than kept answers are valid, and than JOBS keeps
 * events.
 */
const KEPT_MS = 8 * 24 * 3600_000;

type DeletedJob = Pick<JobDocument, '_id' | 'version' | 'counted'> & {
  readonly idempotency?: StoredAnswer | undefined;
};

/** Tombstones of deleted jobs. They stay until other services have cleaned up. */
export function tombstoneStore(mongo: Mongo) {
  const jobs = jobModel(mongo);
  const tombstones = tombstoneModel(mongo);

  const deleteJob = (
    filter: { _id: number; version?: number },
    session: ClientSession,
  ): Promise<DeletedJob | null> =>
    jobs
      .findOneAndDelete(filter, { session, projection: { version: 1, counted: 1, idempotency: 1 } })
      .lean<DeletedJob>()
      .exec();

  const insertTombstone = async (
    { _id, counted, idempotency }: DeletedJob,
    change: Change,
    session: ClientSession,
  ): Promise<void> => {
    const tombstone = {
      _id,
      companyId: change.companyId,
      deletedAt: new Date(change.at),
      change: toChangeDocument(change),
      cleaning: true as const,
      uncounted: true as const,
      ...(counted !== undefined && { counted }),
      ...(idempotency && { idempotency }),
    };
    await tombstones.insertMany([tombstone], { session, lean: true });
  };

  /** An expired answer stays in its tombstone. Its key must not block a later answer. */
  const freeKey = (key: string, session: ClientSession) =>
    tombstones.updateOne({ 'idempotency.key': key }, { $unset: { idempotency: '' } }, { session });

  return {
    /**
     * Deletes the job, and leaves a tombstone with the change and the kept answer, in one transaction. Throws
     * WriteConflict if the job is no longer at the version of `stored`.
     */
    bury: (stored: Job, change: Change, deadline: number): Promise<void> =>
      inTransaction(mongo, deadline, async (session) => {
        const deleted = await deleteJob({ _id: stored.id, version: stored.version }, session);
        if (!deleted) throw new WriteConflict();
        if (deleted.idempotency) await freeKey(deleted.idempotency.key, session);
        await insertTombstone(deleted, change, session);
      }),

    /** Deletes a job that should not have been created, at whatever version it is, and its kept answer. */
    discard: (job: Job, change: Change, deadline: number): Promise<void> =>
      inTransaction(mongo, deadline, async (session) => {
        const deleted = await deleteJob({ _id: job.id }, session);
        if (!deleted) return;
        // A transition may have given it another version since.
        const last = { ...change, version: deleted.version + 1 };
        await insertTombstone({ ...deleted, idempotency: undefined }, last, session);
      }),

    /** Jobs that are still to be cleaned up, the oldest first. */
    uncleaned: async (limit: number): Promise<number[]> => {
      const found = await tombstones
        .find({ cleaning: true }, { _id: 1 })
        .sort({ deletedAt: 1 })
        // MongoDB takes a partial index whose first field is not in the filter only by its name.
        .hint('cleaning')
        .limit(limit)
        .lean();
      return found.map(({ _id }) => _id);
    },

    /** Sets the expiry by the machine's time, because MongoDB uses its own, and the service's clock can be moved. */
    markCleaned: async (jobIds: readonly number[]): Promise<void> => {
      await tombstones.updateMany(
        { _id: { $in: [...jobIds] } },
        { $unset: { cleaning: '' }, $set: { expireAt: new Date(Date.now() + KEPT_MS) } },
      );
    },
  };
}
