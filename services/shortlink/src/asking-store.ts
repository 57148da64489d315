import type { Mongo } from '@joblisting/service-kit';
import type { Bitlink } from './bitly/bitlink.ts';
import { type Link, linksOf, toLink } from './stored-link.ts';

export type AskingStore = ReturnType<typeof askingStore>;

/** What came of a note: the first one, one more, or none, because the link has changed since it was read. */
export type Marked = 'first' | 'again' | 'missed';

export interface Attached {
  readonly link: Link;
  /** The period that the link was taken from, where no other call can have made it. */
  readonly granted: string | undefined;
}

/** Links while bitly is asked for them, by any number of calls in any number of replicas. */
export function askingStore(mongo: Mongo) {
  const links = linksOf(mongo);

  /** The link as it is now. */
  const current = async (link: Link): Promise<Link> => {
    const found = await links.findOne({ _id: link.code });
    return found ? toLink(found) : { ...link, removed: true };
  };

  return {
    current,

    /** Notes that bitly is about to be asked, and the period that the link is taken from where there is none yet. */
    mark: async (link: Link, granted: string): Promise<Marked> => {
      const unchanged = {
        _id: link.code,
        bitlink: { $exists: false },
        removal: { $exists: link.removed },
        ...(link.granted !== undefined && { granted: { $exists: true } }),
      };
      const before = await links.findOneAndUpdate(
        unchanged,
        [
          {
            $set: {
              asked: { $add: [{ $ifNull: ['$asked', 0] }, 1] },
              granted: { $ifNull: ['$granted', granted] },
            },
          },
        ],
        { returnDocument: 'before' },
      );
      if (!before) return 'missed';
      return before.granted === undefined ? 'first' : 'again';
    },

    /**
     * Notes that nothing came of one call. Resolves to the period to give the link back to, where every call came
     * to nothing.
     */
    unmark: async ({ code }: Link): Promise<string | undefined> => {
      const isLast = { $eq: ['$asked', 1] };
      const before = await links.findOneAndUpdate(
        { _id: code, asked: { $gt: 0 } },
        [
          {
            $set: {
              asked: { $cond: [isLast, '$$REMOVE', { $subtract: ['$asked', 1] }] },
              granted: { $cond: [isLast, '$$REMOVE', '$granted'] },
            },
          },
        ],
        { returnDocument: 'before' },
      );
      return before?.asked === 1 ? before.granted : undefined;
    },

    /** Stores what bitly gave, as a spare where another call brought another link before. */
    attach: async (link: Link, bitlink: Bitlink): Promise<Attached> => {
      const before = await links.findOneAndUpdate(
        { _id: link.code, bitlink: { $exists: false } },
        { $set: { bitlink }, $unset: { asked: '', granted: '' } },
        { returnDocument: 'before' },
      );
      if (before) {
        const granted = before.asked === 1 ? before.granted : undefined;
        return { link: { ...toLink(before), bitlink, granted: undefined }, granted };
      }
      const other = { _id: link.code, 'bitlink.id': { $ne: bitlink.id } };
      await links.updateOne(other, { $addToSet: { spares: bitlink.id } });
      return { link: await current(link), granted: undefined };
    },
  };
}
