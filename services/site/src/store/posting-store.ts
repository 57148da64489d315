import { isDeepStrictEqual } from 'node:util';
import type { PublicJob } from '@joblisting/contracts';
import { isDuplicateKey, type Mongo } from '@joblisting/service-kit';
import { type PostingDocument, postingModel, type PostingState } from '../models/posting.ts';
import { openAt, toPosting } from './posting-document.ts';

export type PostingStore = ReturnType<typeof postingStore>;

/** A job that is not Published at this version. */
export interface Withdrawal {
  readonly jobId: number;
  readonly companyId: number;
  readonly version: number;
  readonly state: Exclude<PostingState, 'open'>;
}

/** Reads and writes single postings. A write of an older version than the stored one changes nothing. */
export function postingStore(mongo: Mongo) {
  const postings = postingModel(mongo);

  /** An upsert finds no document to replace if a newer one is there, and then its id is taken. */
  const unlessNewer = async (write: Promise<unknown>): Promise<void> => {
    await write.catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  };

  return {
    find: (id: number): Promise<PostingDocument | null> =>
      postings.findOne({ _id: id }).lean<PostingDocument>(),

    /** Stores Published jobs that are new or differ. */
    put: async (jobs: readonly PublicJob[], now: number): Promise<void> => {
      const all = jobs.map((job) => toPosting(job, now));
      const ids = all.map(({ _id }) => _id);
      const stored = await postings.find({ _id: { $in: ids } }).lean<PostingDocument[]>();
      const byId = new Map(stored.map((posting) => [posting._id, posting]));
      for (const posting of all) {
        const before = byId.get(posting._id);
        if (before && isDeepStrictEqual({ ...before, changedAt: posting.changedAt }, posting)) continue;
        const { _id, version } = posting;
        await unlessNewer(
          postings.replaceOne({ _id, version: { $lte: version } }, posting, { upsert: true }).exec(),
        );
      }
    },

    /** Takes a job off. A deleted one leaves its id and version, so that no late copy of it comes back, and its company. */
    withdraw: async ({ jobId, companyId, version, state }: Withdrawal, now: number): Promise<void> => {
      const changedAt = new Date(now);
      if (state === 'deleted') {
        const tombstone = { _id: jobId, state, version, changedAt, companyId };
        await unlessNewer(
          postings.replaceOne({ _id: jobId, version: { $lte: version } }, tombstone, { upsert: true }).exec(),
        );
        return;
      }
      await postings.updateOne(
        { _id: jobId, version: { $lte: version }, state: { $ne: 'deleted' } },
        { $set: { state, version, changedAt } },
      );
    },

    /**
     * Hides open postings of this range of ids that are not among `ids`, unless they changed from `since` on. Those that have
     * closed by then stay.
     */
    hideOthers: async (
      range: { readonly after: number; readonly upTo: number; readonly companyId?: number | undefined },
      ids: readonly number[],
      since: number,
    ): Promise<number> => {
      const { modifiedCount } = await postings.updateMany(
        {
          _id: { $gt: range.after, $lte: range.upTo, $nin: [...ids] },
          ...(range.companyId !== undefined && { companyId: range.companyId }),
          ...openAt(since),
          changedAt: { $lt: new Date(since) },
        },
        { $set: { state: 'hidden', changedAt: new Date(since) } },
      );
      return modifiedCount;
    },
  };
}
