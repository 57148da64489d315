import type { ClientSession } from 'mongoose';
import type { Collections } from './collections.ts';

/** The steps on a name's row, each part of a transaction that has seen the name free. */
export const nameSlots = (names: Collections['names']) => ({
  /** A duplicate key where a system category has taken it since: the transaction is run again and sees it. */
  takeForCompany: async (nameKey: string, session: ClientSession): Promise<void> => {
    const free = { _id: nameKey, systemId: null };
    await names.updateOne(free, { $inc: { customs: 1 } }, { upsert: true, session });
  },

  /** A duplicate key where anybody has taken it since. */
  takeForAll: async (nameKey: string, id: number, session: ClientSession): Promise<void> => {
    const free = { _id: nameKey, systemId: null, customs: 0 };
    await names.updateOne(free, { $set: { systemId: id } }, { upsert: true, session });
  },

  giveBack: async (nameKey: string, session: ClientSession): Promise<void> => {
    await names.updateOne({ _id: nameKey }, { $inc: { customs: -1 } }, { session });
    await names.deleteOne({ _id: nameKey, systemId: null, customs: 0 }, { session });
  },
});
