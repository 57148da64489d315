import type { Mongo } from '@joblisting/service-kit';
import { type Link, toLink } from './link-store.ts';
import { type Bitlink, linkModel } from './models/link.ts';

/** A link of a job that is gone, to be removed at bitly. */
export interface Removal extends Link {
  /** How often it failed. */
  readonly attempts: number;
}

export type BitlinkStore = ReturnType<typeof bitlinkStore>;

/** Longer than any call: by then bitly is done with it, and the link may be requested again. */
const CALL_LEASE_MS = 5000;
/** No other replica takes a removal for as long; one that was not tried, or lost to a crash, is due again then. */
const REMOVAL_LEASE_MS = 30_000;

/** The collection `links` as far as bitly is concerned. Times are epoch milliseconds. */
export function bitlinkStore(mongo: Mongo) {
  const links = linkModel(mongo);

  return {
    /**
     * Notes that bitly is about to be asked for the link, and the period that pays. Resolves to false where another
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

    /** The removal that has been due for longest, for this process alone; undefined where none is. */
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
