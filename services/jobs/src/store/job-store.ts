import {
  finder,
  groupedInserts,
  groupedUpdates,
  type GroupedWrite,
  type KeptAnswer,
  type Mongo,
  toStoredAnswer,
  type Updated,
} from '@joblisting/service-kit';
import type { Job } from '../domain/job.ts';
import type { Transition } from '../domain/status.ts';
import { jobsName, jobsOf, referenceIndex } from './collections.ts';
import { changedFields, type JobDocument, toEvents, toFields, toJob } from './job-document.ts';
import { sharedReads } from './shared-reads.ts';

export type JobStore = ReturnType<typeof jobStore>;

/** What is written with a job. */
export interface Change {
  readonly transitions: readonly Transition[];
  /** When they were recorded. Epoch milliseconds, like `commitBy`. */
  readonly now: number;
  readonly commitBy: number;
}

export interface Insertion extends Change {
  readonly answer: KeptAnswer | undefined;
}

const justTheId = { projection: { _id: 1 }, readConcern: { level: 'local' } } as const;
/** Characters of a description, which may be three bytes each, and as many more in the kept answer: 32 are 14 MB at most. */
const LARGE = 40_000;
const projection = { events: 0, settledBy: 0, idempotency: 0, counted: 0, uncounted: 0 } as const;

/** MongoDB plans nothing where it is asked for a single `_id`, but does where that is one of a list of one. */
const ofIds = (ids: readonly number[]) => ({
  _id: ids.length === 1 ? (ids[0] as number) : { $in: [...ids] },
});

const referenceKey = (companyId: number, referenceId: string): string => `${companyId}/${referenceId}`;

/** One range for each company: the index has its references side by side. */
function ofReferences(keys: readonly string[]) {
  const named = keys.map((key) => {
    const slash = key.indexOf('/');
    return { companyId: Number(key.slice(0, slash)), referenceId: key.slice(slash + 1) };
  });
  const ofCompanies = [...Map.groupBy(named, ({ companyId }) => companyId)].map(([companyId, some]) => ({
    companyId,
    referenceId: { $in: some.map(({ referenceId }) => referenceId) },
  }));
  return { $or: ofCompanies };
}

/** Single jobs. One write says what changed and which transitions are to be published. */
export function jobStore(mongo: Mongo) {
  const jobs = jobsOf(mongo);
  const found = finder<JobDocument>({ mongo, collection: jobsName, projection });

  const read = sharedReads<number, JobDocument>({
    readOne: (_id) => found.one({ _id }),
    readMany: (ids) => found.some({ filter: ofIds(ids), most: ids.length }),
    keyOf: ({ _id }) => _id,
  });

  // The hint spares the planner to try each of the indexes that begin with the company.
  const readByReference = sharedReads<string, JobDocument>({
    readMany: (keys) => found.some({ filter: ofReferences(keys), most: keys.length, hint: referenceIndex }),
    keyOf: ({ companyId, referenceId = '' }) => referenceKey(companyId, referenceId),
  });

  const insert = groupedInserts<JobDocument>({
    mongo,
    collection: jobsName,
    isLarge: ({ description }) => description.length > LARGE,
  });
  const update = groupedUpdates<JobDocument>({
    mongo,
    collection: jobsName,
    isLarge: ({ change }) => (change.$set?.description?.length ?? 0) > LARGE,
  });

  return {
    /** The job as it was stored: the clock may have overtaken its status. */
    find: async (id: number): Promise<Job | undefined> => {
      const stored = await read(id);
      return stored ? toJob(stored) : undefined;
    },

    findByReference: async (companyId: number, referenceId: string): Promise<Job | undefined> => {
      const stored = await readByReference(referenceKey(companyId, referenceId));
      return stored ? toJob(stored) : undefined;
    },

    /** Whose the reference is, even where that write is not safe yet: for refusals, whose cause it may be. */
    findIdByReference: async (companyId: number, referenceId: string): Promise<number | undefined> =>
      (await jobs.findOne({ companyId, referenceId }, justTheId))?._id,

    /**
     * Inserts the job, and in the same write what is to be published and kept, unless `commitBy` has come. `taken`:
     * another job has its referenceId, or was created with its Idempotency-Key.
     */
    insert: (job: Job, { transitions, now, answer, commitBy }: Insertion): Promise<GroupedWrite> =>
      insert(
        {
          _id: job.id,
          companyId: job.company.id,
          companyName: job.company.name,
          ...toFields(job).set,
          counts: { view: 0, application: 0, clickThrough: 0 },
          uncounted: true,
          ...(transitions.length > 0 && { events: toEvents(job.id, transitions, now) }),
          ...(answer && { idempotency: toStoredAnswer(answer) }),
        },
        commitBy,
      ),

    /**
     * Writes what has changed of the job, if it is still at the version that was read: it is `lost` where it is not.
     * `taken`: another job has its referenceId.
     */
    replace: (stored: Job, job: Job, { transitions, now, commitBy }: Change): Promise<Updated> => {
      const { set, unset } = changedFields(stored, job);
      const change = {
        $set: { ...set, ...(job.statusId !== stored.statusId && { uncounted: true as const }) },
        $unset: unset,
        ...(transitions.length > 0 && {
          $push: { events: { $each: toEvents(job.id, transitions, now) } },
        }),
      };
      return update(
        { filter: { _id: job.id, companyId: job.company.id, version: stored.version }, change },
        commitBy,
      );
    },
  };
}
