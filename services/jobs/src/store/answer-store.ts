import {
  type Clock,
  type KeptAnswer,
  type KeptAnswers,
  type Mongo,
  readDurably,
  type StoredAnswer,
} from '@joblisting/service-kit';
import { toKeptAnswer } from '@joblisting/service-kit/mongo';
import { jobModel } from '../models/job.ts';
import { tombstoneModel } from '../models/tombstone.ts';

export type AnswerStore = ReturnType<typeof answerStore>;

/** A job or a tombstone. */
interface Holder {
  readonly idempotency?: StoredAnswer;
}

/** Kept answers, which are stored in their job, and in its tombstone once it is deleted. */
export function answerStore(mongo: Mongo, clock: Clock) {
  const jobs = jobModel(mongo);
  const tombstones = tombstoneModel(mongo);
  const expired = () => ({ 'idempotency.expireAt': { $lte: new Date(clock.now()) } });
  const forget = { $unset: { idempotency: '' } } as const;

  const inJob = (key: string) =>
    readDurably(mongo, (options) =>
      jobs.findOne({ 'idempotency.key': key }, { idempotency: 1 }, options).lean<Holder>().exec(),
    );
  const inTombstone = (key: string) =>
    readDurably(mongo, (options) =>
      tombstones.findOne({ 'idempotency.key': key }, { idempotency: 1 }, options).lean<Holder>().exec(),
    );

  return {
    /**
     * Reads jobs first, because DELETE moves an answer from there to the tombstone. The tombstone wins: if both have
     * one, the second job with its key is about to be discarded. Frees an expired key.
     */
    find: async (key: string): Promise<KeptAnswer | undefined> => {
      const ofJob = (await inJob(key))?.idempotency;
      const ofTombstone = (await inTombstone(key))?.idempotency;
      const now = clock.now();
      const live = [ofTombstone, ofJob].find((answer) => answer && answer.expireAt.getTime() > now);
      if (live) return toKeptAnswer(live);
      if (ofJob) await jobs.updateOne({ 'idempotency.key': key, ...expired() }, forget);
      return undefined;
    },

    /** Whether a job with this key was deleted already. */
    isBuried: async (key: string): Promise<boolean> => {
      const live = { 'idempotency.expireAt': { $gt: new Date(clock.now()) } };
      return (await tombstones.exists({ 'idempotency.key': key, ...live })) !== null;
    },

    /** Drops expired answers from at most `limit` jobs and as many tombstones. Resolves to the larger number. */
    forgetExpired: async (limit: number): Promise<number> => {
      const ofJobs = await jobs.find(expired(), { _id: 1 }).limit(limit).lean();
      const ofTombstones = await tombstones.find(expired(), { _id: 1 }).limit(limit).lean();
      const stillExpired = (found: readonly { readonly _id: number }[]) => ({
        _id: { $in: found.map(({ _id }) => _id) },
        ...expired(),
      });
      if (ofJobs.length > 0) await jobs.updateMany(stillExpired(ofJobs), forget);
      if (ofTombstones.length > 0) await tombstones.updateMany(stillExpired(ofTombstones), forget);
      return Math.max(ofJobs.length, ofTombstones.length);
    },
  } satisfies KeptAnswers & Record<string, unknown>;
}
