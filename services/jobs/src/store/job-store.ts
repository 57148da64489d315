import { deadlineExceeded } from '@joblisting/contracts';
import { batcher, isDuplicateKey, type KeptAnswer, type Mongo, semaphore } from '@joblisting/service-kit';
import { type Inserted, insertEach, toStoredAnswer } from '@joblisting/service-kit/mongo';
import type { Change } from '../domain/change.ts';
import type { Job } from '../domain/job.ts';
import { applyTransition, dueTransitions } from '../domain/status.ts';
import { toChangeDocument } from '../models/change.ts';
import { type JobDocument, jobModel } from '../models/job.ts';
import { changedFields, isLarge, toFields, toJob, transitionUpdate } from './job-document.ts';

export type JobStore = ReturnType<typeof jobStore>;

/** Another write changed or deleted the job after it was read, so decide again. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}

/** `duplicate`: another job has its referenceId, or was created with its Idempotency-Key. */
export type Saved = Inserted;

/** What is written with a job. `commitBy` in epoch milliseconds: nothing is sent to the database from then on. */
export interface Write {
  readonly change: Change;
  readonly commitBy: number;
}

export interface Reference {
  readonly companyId: number;
  readonly referenceId: string;
}

interface Insertion {
  readonly document: JobDocument;
  readonly commitBy: number;
}

/** How many large descriptions are read at once: each takes several times its size in memory. */
const MAX_LARGE_READS = 2;
const withoutInternal = { change: 0, idempotency: 0, counted: 0, uncounted: 0 } as const;
const withoutLarge = { ...withoutInternal, largeDescription: 0 } as const;

/** Single jobs. Every write of a job sets `change`, one version and one event each. */
export function jobStore(mongo: Mongo) {
  const jobs = jobModel(mongo);

  const readById = batcher(async (ids: readonly number[]) => {
    const found = await jobs.find({ _id: { $in: [...new Set(ids)] } }, withoutLarge).lean<JobDocument[]>();
    const byId = new Map(found.map((job) => [job._id, job]));
    return ids.map((id) => byId.get(id) ?? null);
  });
  const largeReads = semaphore(MAX_LARGE_READS);

  /** Adds the description of a large job. Null if the job does not exist, or was deleted meanwhile. */
  const withDescription = async (
    found: JobDocument | null,
    deadline: number,
  ): Promise<JobDocument | null> => {
    if (found === null || found.description !== undefined) return found;
    return largeReads(async () => {
      if (Date.now() >= deadline) throw deadlineExceeded();
      return jobs.findOne({ _id: found._id }, withoutInternal).lean<JobDocument>();
    });
  };

  const insertAll = async (all: readonly Insertion[]): Promise<(Saved | Error)[]> => {
    const inTime = all.filter(({ commitBy }) => Date.now() < commitBy);
    const inserted = await insertEach(
      jobs,
      inTime.map(({ document }) => document),
    );
    return all.map((one) => inserted[inTime.indexOf(one)] ?? deadlineExceeded());
  };
  const insertTogether = batcher(insertAll);

  return {
    /**
     * The job as it was stored: its status may be behind the clock. Rejects with `deadline_exceeded` if a large
     * description is not read by the deadline (epoch milliseconds).
     */
    find: async (id: number, deadline: number): Promise<Job | undefined> => {
      // Each caller maps its own document: one that cannot be mapped must not fail the others of its batch.
      const stored = await withDescription(await readById(id), deadline);
      return stored ? toJob(stored) : undefined;
    },

    /** As `find`. */
    findByReference: async (
      { companyId, referenceId }: Reference,
      deadline: number,
    ): Promise<Job | undefined> => {
      const found = await jobs.findOne({ companyId, referenceId }, withoutLarge).lean<JobDocument>();
      const stored = await withDescription(found, deadline);
      return stored ? toJob(stored) : undefined;
    },

    /** As `find`. Undefined also if the job has changed at this time (epoch ms) or later. */
    findUnchangedSince: async (id: number, since: number, deadline: number): Promise<Job | undefined> => {
      const unchanged = { 'change.at': { $not: { $gte: new Date(since) } } };
      const found = await jobs.findOne({ _id: id, ...unchanged }, withoutLarge).lean<JobDocument>();
      const stored = await withDescription(found, deadline);
      return stored ? toJob(stored) : undefined;
    },

    /** Reads writes that can still roll back, because such a write may be the cause of the refusal. */
    findIdByReference: async ({ companyId, referenceId }: Reference): Promise<number | undefined> =>
      (await jobs.findOne({ companyId, referenceId }, { _id: 1 }).readConcern('local').lean())?._id,

    /** The company of a job; undefined if there is no such job. */
    companyIdOf: async (id: number): Promise<number | undefined> =>
      (await jobs.findOne({ _id: id }, { companyId: 1 }).lean())?.companyId,

    /** The ids that exist. */
    existing: async (ids: readonly number[]): Promise<number[]> => {
      const found = await jobs.find({ _id: { $in: [...ids] } }, { _id: 1 }).lean();
      return found.map(({ _id }) => _id);
    },

    /** Inserts the job, and in the same write the answer to keep. Rejects with `deadline_exceeded` past `commitBy`. */
    insert: async (job: Job, { change, commitBy }: Write, answer?: KeptAnswer): Promise<Saved> => {
      const document: JobDocument = {
        _id: job.id,
        companyId: job.company.id,
        companyName: job.company.name,
        ...toFields(job).set,
        counts: { view: 0, application: 0, clickThrough: 0 },
        change: toChangeDocument(change),
        uncounted: true,
        ...(answer && { idempotency: await toStoredAnswer(answer) }),
      };
      const insertion = { document, commitBy };
      if (!isLarge(job)) return insertTogether(insertion);
      const [saved] = await insertAll([insertion]);
      if (saved instanceof Error) throw saved;
      return saved ?? 'done';
    },

    /** Writes what has changed of the job. Throws WriteConflict if it is no longer at the version of `before`. */
    replace: async (before: Job, after: Job, { change, commitBy }: Write): Promise<Saved> => {
      if (Date.now() >= commitBy) throw deadlineExceeded();
      const { set, unset } = changedFields(before, after);
      const isRecounted = after.statusId !== before.statusId && { uncounted: true as const };
      try {
        const { matchedCount } = await jobs.updateOne(
          { _id: before.id, companyId: before.company.id, version: before.version },
          { $set: { ...set, change: toChangeDocument(change), ...isRecounted }, $unset: unset },
        );
        if (matchedCount === 0) throw new WriteConflict();
        return 'done';
      } catch (error) {
        if (isDuplicateKey(error)) return 'duplicate';
        throw error;
      }
    },

    /**
     * Stores the job's transitions that are due at `now`, each as a write of its own, and resolves to the job after
     * them. Throws WriteConflict if another writer was faster.
     */
    storeDueTransitions: async (stored: Job, now: number, commitBy: number): Promise<Job> => {
      let job = stored;
      for (const transition of dueTransitions(stored, now)) {
        if (Date.now() >= commitBy) throw deadlineExceeded();
        const { id: _id, statusId, version, company } = job;
        const { matchedCount } = await jobs.updateOne(
          { _id, companyId: company.id, statusId, version },
          transitionUpdate({ ...job, companyId: company.id }, transition),
        );
        if (matchedCount === 0) throw new WriteConflict();
        job = applyTransition(job, transition);
      }
      return job;
    },
  };
}
