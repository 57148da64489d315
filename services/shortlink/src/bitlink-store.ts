import type { Mongo } from '@joblisting/service-kit';
import { type Link, toLink } from './link-store.ts';
import { type Bitlink, linkModel } from './models/link.ts';

/** A link of a deleted job, to be removed at bitly. */
export interface Removal extends Link {
  /** How many attempts have failed. */
  readonly attempts: number;
}

export type BitlinkStore = ReturnType<typeof bitlinkStore>;

/** Longer than any call. After that, another call may request the link. */
const CALL_LEASE_MS = 5000;
/** No other replica takes the removal for this long. Then it is due again, unless it has ended or was postponed. */
const REMOVAL_LEASE_MS = 30_000;

/** What bitly needs of the collection `links`. Times are epoch milliseconds. */
export function bitlinkStore(mongo: Mongo) {
  const links = linkModel(mongo);

  return {
    /**
     * Stores, before bitly is requested, that a call is under way and which period pays. Resolves to false if another
     * call is under way, or the link has changed since it was read.
     */
    claim: async ({ code, granted }: Link, period: string, now: number): Promise<boolean> => {
      const unchanged = {
        _id: code,
        bitlink: { $exists: false },
        removal: { $exists: false },
        granted: granted ?? { $exists: false },
        callUntil: { $not: { $gt: new Date(now) } },
      };
      const claim = { granted: period, callUntil: new Date(now + CALL_LEASE_MS) };
      const { matchedCount } = await links.updateOne(unchanged, { $set: claim });
      return matchedCount === 1;
    },

    attach: async ({ code }: Link, bitlink: Bitlink): Promise<void> => {
      await links.updateOne({ _id: code }, { $set: { bitlink }, $unset: { callUntil: 1, granted: 1 } });
    },

    /** Claims the removal that has been due for longest; undefined if none is due. */
    claimRemoval: async (now: number): Promise<Removal | undefined> => {
      const due = {
        'removal.dueAt': { $lte: new Date(now) },
        callUntil: { $not: { $gt: new Date(now) } },
      };
      const found = await links
        .findOneAndUpdate(
          due,
          { $set: { 'removal.dueAt': new Date(now + REMOVAL_LEASE_MS) } },
          { sort: { 'removal.dueAt': 1 }, returnDocument: 'after' },
        )
        .lean();
      return found ? { ...toLink(found), attempts: found.removal?.attempts ?? 0 } : undefined;
    },

    postponeRemoval: async (code: string, attempts: number, dueAt: number): Promise<void> => {
      const removal = { attempts, dueAt: new Date(dueAt) };
      await links.updateOne({ _id: code, removal: { $exists: true } }, { $set: { removal } });
    },

    finishRemoval: async (code: string): Promise<void> => {
      await links.deleteOne({ _id: code, removal: { $exists: true } });
    },

    countRemovals: (): Promise<number> => links.countDocuments({ 'removal.dueAt': { $exists: true } }),
  };
}
