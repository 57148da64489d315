import { itemOutcomes, status, SYNC_JOBS_LISTED, type SyncedJob } from '@joblisting/contracts';
import { inTransaction, type KeptAnswer, type Mongo } from '@joblisting/service-kit';
import type { keptAnswersIn } from '@joblisting/service-kit/mongo';
import {
  type Decision,
  isAddition,
  type MissingJob,
  type Outcome,
  type OutcomeCounts,
  requestIdOf,
  type StoredSync,
  SYNC_MS,
} from '../domain/sync.ts';
import { type JobDocument, jobModel } from '../models/job.ts';
import { type SyncDocument, type SyncEntryDocument, syncEntryModel, syncModel } from '../models/sync.ts';
import { tombstoneModel } from '../models/tombstone.ts';

export type SyncStore = ReturnType<typeof syncStore>;

type Answers = Pick<ReturnType<typeof keptAnswersIn>, 'insertUnlessAnswered'>;

/** By their stored numbers. Of two for an item the higher stays: a second item finds what the first created. */
const outcomes: readonly Outcome[] = [...itemOutcomes, 'missing', 'closed', 'deleted', 'kept', 'leftAlone'];
const isOpenJob = new Set<number>([status.published, status.pending]);
const CREATED = outcomes.indexOf('created');
const MISSING = outcomes.indexOf('missing');
/** How long the report stays after the sync took its last item. */
const REPORT_MS = 7 * 24 * 3600_000;
const CHUNK = 500;

/** A chunk of jobs, `after` the referenceId that the next one begins behind; undefined at the end. */
export interface ScannedJobs {
  /** How many of the chunk were there at the start of the sync, sent or not. */
  readonly existingCount: number;
  /** They were not sent. */
  readonly missing: readonly MissingJob[];
  /** They were not sent, but changed after the start of the sync. */
  readonly changed: readonly MissingJob[];
  readonly after: string | undefined;
}

/** Full syncs, what became of each referenceId, and which jobs were not sent. */
export function syncStore(mongo: Mongo, answers: Answers) {
  const syncs = syncModel(mongo);
  const entries = syncEntryModel(mongo);
  const jobs = jobModel(mongo);
  const tombstones = tombstoneModel(mongo);

  const entryId = ({ id }: StoredSync, referenceId: string) => `${id}/${referenceId}`;
  const removeAt = () => new Date(Date.now() + SYNC_MS + REPORT_MS);

  /** Writes outcomes. One that is there stays if it counts more. */
  const record = async (
    sync: StoredSync,
    found: readonly { readonly referenceId: string; readonly outcome: Outcome; readonly jobId?: number }[],
  ): Promise<void> => {
    const writes = found.map(({ referenceId, outcome, jobId }) => ({
      updateOne: {
        filter: { _id: entryId(sync, referenceId) },
        update: {
          $max: { outcome: outcomes.indexOf(outcome) },
          $setOnInsert: {
            syncId: sync.id,
            referenceId,
            removeAt: removeAt(),
            ...(jobId !== undefined && { jobId }),
          },
        },
        upsert: true,
      },
    }));
    if (writes.length > 0) await entries.bulkWrite(writes, { ordered: false });
  };

  return {
    record,

    /** Stores a new sync, and in the same transaction the answer to keep. */
    insert: (
      { id, startedAt, endsAt, scope, ...rest }: StoredSync,
      answer: KeptAnswer | undefined,
      deadline: number,
    ): Promise<void> =>
      inTransaction(mongo, deadline, async (session) => {
        const dates = { startedAt: new Date(startedAt), endsAt: new Date(endsAt), removeAt: removeAt() };
        const sync = { _id: id, ...rest, ...dates, ...(scope !== null && { scope }) };
        await syncs.insertMany([sync], { session, lean: true });
        if (answer) await answers.insertUnlessAnswered(answer, session);
      }),

    find: async (id: number): Promise<StoredSync | undefined> => {
      const found = await syncs.findOne({ _id: id }).lean<SyncDocument>();
      return found ? toSync(found) : undefined;
    },

    /** Stores the decision. Resolves to false if the sync is no longer open. */
    decide: async ({ id }: StoredSync, decision: Decision, resumeAt: number): Promise<boolean> => {
      const { matchedCount } = await syncs.updateOne(
        { _id: id, state: 'open' },
        { $set: { state: 'committing', decision: { ...decision, resumeAt: new Date(resumeAt) } } },
      );
      return matchedCount === 1;
    },

    markCommitted: async ({ id }: StoredSync): Promise<void> => {
      await syncs.updateOne({ _id: id }, { $set: { state: 'committed' } });
    },

    /** A sync whose commit nobody works on any more. For so many milliseconds no other caller gets it. */
    claimUnfinished: async (leaseMs: number): Promise<StoredSync | undefined> => {
      const now = Date.now();
      const found = await syncs
        .findOneAndUpdate(
          { state: 'committing', 'decision.resumeAt': { $lte: new Date(now) } },
          { $set: { 'decision.resumeAt': new Date(now + leaseMs) } },
        )
        .lean<SyncDocument>();
      return found ? toSync(found) : undefined;
    },

    counts: async ({ id }: StoredSync): Promise<OutcomeCounts> => {
      const groups = await entries.aggregate<{ _id: number; count: number }>([
        { $match: { syncId: id } },
        { $group: { _id: '$outcome', count: { $sum: 1 } } },
      ]);
      return Object.fromEntries(groups.map(({ _id, count }) => [outcomes[_id], count]));
    },

    /** The first jobs that were not sent. */
    listed: async ({ id }: StoredSync): Promise<SyncedJob[]> => {
      const found = await entries
        .find({ syncId: id, outcome: { $gte: MISSING } })
        .sort({ outcome: 1, referenceId: 1 })
        .limit(SYNC_JOBS_LISTED)
        .lean<SyncEntryDocument[]>();
      return found.map(({ jobId = 0, referenceId, outcome }) => ({
        id: jobId,
        referenceId,
        outcome: outcomes[outcome] as SyncedJob['outcome'],
      }));
    },

    /** Jobs that a commit has recorded as missing, and that still are. */
    missing: async ({ id }: StoredSync): Promise<MissingJob[]> => {
      const found = await entries
        .find({ syncId: id, outcome: MISSING })
        .limit(CHUNK)
        .lean<SyncEntryDocument[]>();
      return found.map(({ jobId = 0, referenceId }) => ({ id: jobId, referenceId }));
    },

    /** Reads a chunk of the jobs of the sync's scope. Closed jobs and drafts count only for a deletion. */
    scan: async (sync: StoredSync, after: string | undefined, withClosed: boolean): Promise<ScannedJobs> => {
      const { companyId, startedAt } = sync;
      const scope = sync.scope ?? '';
      const from = after === undefined ? { $gte: scope } : { $gt: after };
      const found = await jobs
        .find(
          { companyId, referenceId: { ...from, $exists: true } },
          { referenceId: 1, statusId: 1, 'change.at': 1, 'change.kind': 1, 'change.fields': 1 },
        )
        .sort({ referenceId: 1 })
        .hint('reference')
        .limit(CHUNK)
        .lean<Pick<JobDocument, '_id' | 'referenceId' | 'statusId' | 'change'>[]>();
      const inScope = found.flatMap(({ _id, referenceId, statusId, change }) =>
        referenceId?.startsWith(scope) ? [{ id: _id, referenceId, statusId, change }] : [],
      );
      const counted = inScope.filter(({ statusId }) => withClosed || isOpenJob.has(statusId));
      const ids = counted.map(({ referenceId }) => entryId(sync, referenceId));
      const sent = await entries.find({ _id: { $in: ids } }, { outcome: 1 }).lean<SyncEntryDocument[]>();
      const outcomeById = new Map(sent.map(({ _id, outcome }) => [_id, outcome]));
      type Scanned = (typeof counted)[number];
      const outcomeOf = ({ referenceId }: Scanned) => outcomeById.get(entryId(sync, referenceId));
      const isChanged = ({ change }: Scanned) => (change?.at.getTime() ?? 0) >= startedAt;
      const isNew = (job: Scanned) =>
        outcomeOf(job) === CREATED ||
        (isChanged(job) && job.change !== undefined && isAddition(job.change, withClosed));
      const unsent = counted.filter((job) => outcomeOf(job) === undefined);
      const named = (some: typeof unsent) => some.map(({ id, referenceId }) => ({ id, referenceId }));
      const isEnd = found.length < CHUNK || inScope.length < found.length;
      return {
        existingCount: counted.filter((job) => !isNew(job)).length,
        missing: named(unsent.filter((job) => !isChanged(job))),
        changed: named(unsent.filter(isChanged)),
        after: isEnd ? undefined : found.at(-1)?.referenceId,
      };
    },

    /** Whether the last change of a job, or its deletion, was made by the sync. */
    isOwnChange: async (sync: StoredSync, jobId: number): Promise<boolean> => {
      const own = { _id: jobId, 'change.requestId': requestIdOf(sync) };
      return (await jobs.exists(own)) !== null || (await tombstones.exists(own)) !== null;
    },
  };
}

const toSync = ({ _id, startedAt, endsAt, decision, scope, ...rest }: SyncDocument): StoredSync => ({
  id: _id,
  companyId: rest.companyId,
  state: rest.state,
  scope: scope ?? null,
  startedAt: startedAt.getTime(),
  endsAt: endsAt.getTime(),
  ...(decision && { decision: decision as Decision }),
});
