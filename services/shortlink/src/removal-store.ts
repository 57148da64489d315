import type { Mongo } from '@joblisting/service-kit';
import { type Link, linksOf, type Removal, toLink } from './stored-link.ts';

/** A link of a job that is gone, to be removed at bitly. */
export interface DueRemoval extends Link {
  /** False where bitly has nothing of it for certain. */
  readonly mayBeThere: boolean;
  readonly spares: readonly string[];
  readonly attempts: number;
  readonly refusals: number;
}

export type RemovalStore = ReturnType<typeof removalStore>;

/** No other replica takes a removal for as long; one that a crash left behind is due again then. */
const LEASE_MS = 60_000;

/** Links that went with their jobs, and are still to go at bitly. Times are epoch milliseconds. */
export function removalStore(mongo: Mongo) {
  const links = linksOf(mongo);

  const put = async (code: string, removal: Removal): Promise<void> => {
    await links.updateOne({ _id: code, removal: { $exists: true } }, { $set: { removal } });
  };

  return {
    /** The one that has been due for longest; undefined where none is. */
    claim: async (now: number): Promise<DueRemoval | undefined> => {
      const found = await links.findOneAndUpdate(
        { 'removal.dueAt': { $lte: new Date(now) } },
        { $set: { 'removal.dueAt': new Date(now + LEASE_MS) } },
        { sort: { 'removal.dueAt': 1 }, returnDocument: 'after' },
      );
      if (!found?.removal) return undefined;
      const { bitlink, asked = 0, spares = [], removal } = found;
      const { attempts, refusals } = removal;
      return { ...toLink(found), mayBeThere: bitlink !== undefined || asked > 0, spares, attempts, refusals };
    },

    /** Puts off one that could not be done. */
    postpone: ({ code, attempts, refusals }: DueRemoval, until: number): Promise<void> =>
      put(code, { attempts, refusals, dueAt: new Date(until) }),

    giveUp: ({ code, attempts, refusals }: DueRemoval, now: number): Promise<void> =>
      put(code, { attempts, refusals, givenUpAt: new Date(now) }),

    /** Takes up again what was given up: the token may be another one by now. */
    resume: async (now: number): Promise<void> => {
      const removal: Removal = { attempts: 0, refusals: 0, dueAt: new Date(now) };
      await links.updateMany({ 'removal.givenUpAt': { $exists: true } }, { $set: { removal } });
    },

    finish: async (code: string): Promise<void> => {
      await links.deleteOne({ _id: code, removal: { $exists: true } });
    },

    /** How many there are, given up or not. */
    waiting: (): Promise<number> =>
      links.countDocuments({
        $or: [{ 'removal.dueAt': { $exists: true } }, { 'removal.givenUpAt': { $exists: true } }],
      }),
  };
}
