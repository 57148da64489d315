import { type Clock, isDuplicateKey, type Mongo } from '@joblisting/service-kit';

interface StoredLink {
  readonly _id: string;
  readonly jobId: number;
  readonly createdAt: Date;
}

/** A job's link. Its code never changes and is never given to another job while the link is there. */
export interface Link {
  readonly code: string;
  readonly jobId: number;
}

export type LinkStore = ReturnType<typeof linkStore>;

const ATTEMPTS = 10;

/** The collection `links`. Two unique keys, the code and the job, decide every race. */
export function linkStore(mongo: Mongo, clock: Clock, newCode: () => string) {
  const links = mongo.collection<StoredLink>('links');

  /** Undefined where a key was taken in between: by this job, or the code by another one. */
  const tryCreate = async (jobId: number): Promise<Link | undefined> => {
    try {
      const found = await links.findOneAndUpdate(
        { jobId },
        { $setOnInsert: { _id: newCode(), createdAt: new Date(clock.now()) } },
        { upsert: true, returnDocument: 'after' },
      );
      return found ? { code: found._id, jobId } : undefined;
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  };

  return {
    createIndexes: () => links.createIndex({ jobId: 1 }, { unique: true }),

    /** The link of the job, made now where there is none: the same one to all who ask at once. */
    findOrCreate: async (jobId: number): Promise<Link> => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const link = await tryCreate(jobId);
        if (link) return link;
      }
      throw new Error(`no free code was found in ${ATTEMPTS} attempts`);
    },

    find: async (code: string): Promise<Link | undefined> => {
      const found = await links.findOne({ _id: code });
      return found ? { code, jobId: found.jobId } : undefined;
    },

    /** Resolves to how many there were. */
    removeByJobs: async (jobIds: readonly number[]): Promise<number> => {
      const { deletedCount } = await links.deleteMany({ jobId: { $in: [...jobIds] } });
      return deletedCount;
    },
  };
}
