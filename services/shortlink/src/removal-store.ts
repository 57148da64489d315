import type { Mongo } from '@joblisting/service-kit';
import { type Link, linksOf, type Removal, toLink } from './stored-link.ts';

/** A link of a job that is gone, to be removed at bitly. */
export interface DueRemoval extends Link {
  /** How often it was tried in vain. */
  readonly attempts: number;
}

export type RemovalStore = ReturnType<typeof removalStore>;

/** No other replica takes a removal for as long; one that a crash left behind is due again then. */
const LEASE_MS = 60_000;

/** Links that went with their jobs, and are still to go at bitly. Times are epoch milliseconds. */
export function removalStore(mongo: Mongo) {
  const links = linksOf(mongo);

  return {
    /** The one that has been due for longest; undefined where none is. */
    claim: async (now: number): Promise<DueRemoval | undefined> => {
      const found = await links.findOneAndUpdate(
        { 'removal.dueAt': { $lte: new Date(now) } },
        { $set: { 'removal.dueAt': new Date(now + LEASE_MS) } },
        { sort: { 'removal.dueAt': 1 }, returnDocument: 'after' },
      );
      return found?.removal && { ...toLink(found), attempts: found.removal.attempts };
    },

    /** Puts off one that was tried in vain. */
    postpone: async (code: string, attempts: number, until: number): Promise<void> => {
      const removal: Removal = { attempts, dueAt: new Date(until) };
      await links.updateOne({ _id: code, removal: { $exists: true } }, { $set: { removal } });
    },

    finish: async (code: string): Promise<void> => {
      await links.deleteOne({ _id: code, removal: { $exists: true } });
    },

    waiting: (): Promise<number> => links.countDocuments({ 'removal.dueAt': { $exists: true } }),
  };
}
