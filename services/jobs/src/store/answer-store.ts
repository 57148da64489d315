import {
  type Clock,
  type KeptAnswer,
  type KeptAnswers,
  type Mongo,
  readDurably,
  type StoredAnswer,
  toKeptAnswer,
} from '@joblisting/service-kit';
import { jobsName, tombstonesName } from './collections.ts';

export type AnswerStore = ReturnType<typeof answerStore>;

/** What jobs and tombstones have in common. */
interface Holder {
  readonly _id: number;
  readonly idempotency?: StoredAnswer;
}

/** The answers that are kept inside jobs, and past their deletion inside tombstones. */
export function answerStore(mongo: Mongo, clock: Clock) {
  const jobs = mongo.collection<Holder>(jobsName);
  const tombstones = mongo.collection<Holder>(tombstonesName);
  const expired = () => ({ 'idempotency.expireAt': { $lte: new Date(clock.now()) } });
  const forget = { $unset: { idempotency: '' } } as const;

  const read = async (holders: typeof jobs, key: string): Promise<StoredAnswer | undefined> => {
    const projection = { idempotency: 1 };
    const found = await readDurably(mongo, (options) =>
      holders.findOne({ 'idempotency.key': key }, { ...options, projection }),
    );
    return found?.idempotency;
  };

  return {
    /**
     * Jobs first: an answer that is moved meanwhile is found on its second place. That one wins, as a job with a
     * key of a deleted one is about to be taken back. Frees a key whose time is over.
     */
    find: async (key: string): Promise<KeptAnswer | undefined> => {
      const inJob = await read(jobs, key);
      const inTombstone = await read(tombstones, key);
      const now = clock.now();
      const live = [inTombstone, inJob].find((answer) => answer && answer.expireAt.getTime() > now);
      if (live) return toKeptAnswer(live);
      if (inJob) await jobs.updateOne({ 'idempotency.key': key, ...expired() }, forget);
      return undefined;
    },

    /** Whether a job with this key was deleted already. */
    isBuried: async (key: string): Promise<boolean> => {
      const live = { 'idempotency.expireAt': { $gt: new Date(clock.now()) } };
      const found = await tombstones.findOne({ 'idempotency.key': key, ...live }, { projection: { _id: 1 } });
      return found !== null;
    },

    /** Drops answers whose time is over from at most `limit` jobs. Resolves to how many there were. */
    forgetExpired: async (limit: number): Promise<number> => {
      const found = await jobs.find(expired()).project<{ _id: number }>({ _id: 1 }).limit(limit).toArray();
      if (found.length > 0)
        await jobs.updateMany({ _id: { $in: found.map(({ _id }) => _id) }, ...expired() }, forget);
      return found.length;
    },
  } satisfies KeptAnswers & Record<string, unknown>;
}
