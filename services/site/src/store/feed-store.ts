import type { Mongo } from '@joblisting/service-kit';
import type { QueryFilter } from 'mongoose';
import type { FeedPosition } from '../domain/feed-json.ts';
import { type PostingDocument, postingModel } from '../models/posting.ts';
import { openAt } from './posting-document.ts';

export type FeedStore = ReturnType<typeof feedStore>;

/** When what a feed shows changed last. Equal states mean equal feeds, but for writes that are under way. */
export interface FeedState {
  readonly changedAt: Date;
  /** The latest close instant among jobs that have closed since they were stored. */
  readonly closedAt: Date | undefined;
}

export interface FeedSelection {
  readonly now: number;
  readonly companyId?: number | undefined;
  /** Only what comes after it. */
  readonly after?: FeedPosition | undefined;
  /** 0: all. */
  readonly limit?: number;
}

const READ_AT_ONCE = 100;
const notForFeeds = { plainText: 0, placeKeys: 0, categoryKeys: 0, employerKey: 0 } as const;

/** Apart from other conditions, which may have an `$or` of their own. */
const isAfter = ({ displayDate, id }: FeedPosition): QueryFilter<PostingDocument> => ({
  $and: [{ $or: [{ displayDate: { $lt: displayDate } }, { displayDate, _id: { $lt: id } }] }],
});

/** Reads of many open postings, one after the other. */
export function feedStore(mongo: Mongo) {
  const postings = postingModel(mongo);
  const isOpen = { state: 'open' } as const;

  return {
    /** Two reads of one index entry each. Undefined if there never was a posting. */
    readState: async (now: number, companyId?: number): Promise<FeedState | undefined> => {
      const ofCompany = companyId === undefined ? {} : { companyId };
      const hasClosed = { ...ofCompany, ...isOpen, closesAt: { $lte: new Date(now) } };
      const [changed, closed] = await Promise.all([
        postings.findOne(ofCompany, { changedAt: 1 }).sort({ changedAt: -1 }).lean(),
        postings.findOne(hasClosed, { closesAt: 1 }).sort({ closesAt: -1 }).lean(),
      ]);
      return changed ? { changedAt: changed.changedAt, closedAt: closed?.closesAt ?? undefined } : undefined;
    },

    /** Newest first, all as they were at one moment. */
    read: async function* ({
      now,
      companyId,
      after,
      limit = 0,
    }: FeedSelection): AsyncGenerator<PostingDocument> {
      const session = await mongo.startSession({ snapshot: true, causalConsistency: false });
      const cursor = postings
        .find(
          { ...openAt(now), ...(companyId !== undefined && { companyId }), ...(after && isAfter(after)) },
          notForFeeds,
        )
        .sort({ displayDate: -1, _id: -1 })
        .limit(limit)
        .session(session)
        .lean<PostingDocument>()
        .cursor({ batchSize: READ_AT_ONCE });
      try {
        yield* cursor;
      } finally {
        await cursor.close();
        await session.endSession();
      }
    },

    /** How many are open, counted up to `max`; those that have closed since they were stored count too. */
    countOpen: (max: number): Promise<number> => postings.countDocuments(isOpen).limit(max).exec(),

    /** The lowest id of an open posting above `id`. */
    nextId: async (id: number): Promise<number | undefined> => {
      const next = await postings
        .findOne({ ...isOpen, _id: { $gt: id } }, { _id: 1 })
        .sort({ _id: 1 })
        .lean();
      return next?._id;
    },

    /** Ids from `after` on, up to `upTo`, and when their pages changed. */
    readIds: async function* (now: number, after = 0, upTo = Number.MAX_SAFE_INTEGER) {
      const cursor = postings
        .find({ ...isOpen, _id: { $gt: after, $lte: upTo } }, { _id: 1, closesAt: 1, changedAt: 1 })
        .sort({ _id: 1 })
        .lean<Pick<PostingDocument, '_id' | 'closesAt' | 'changedAt'>>()
        .cursor({ batchSize: 1000 });
      try {
        for await (const { _id: id, closesAt, changedAt } of cursor) {
          // A filter by null would read the documents, not the index alone.
          if (closesAt === null || closesAt.getTime() > now) yield { id, changedAt };
        }
      } finally {
        await cursor.close();
      }
    },
  };
}
