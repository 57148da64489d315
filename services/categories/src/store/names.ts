import type { Mongo } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';
import { nameModel } from '../models/name.ts';

/** Writes of a name's document, inside a transaction that has found the name free. */
export function nameStore(mongo: Mongo) {
  const names = nameModel(mongo);
  return {
    /** Fails with a duplicate key where a system category has the name by now. */
    takeForCompany: async (nameKey: string, session: ClientSession): Promise<void> => {
      const free = { _id: nameKey, systemId: null };
      await names.updateOne(free, { $inc: { customs: 1 } }, { upsert: true, session });
    },

    /** Fails with a duplicate key where any category has the name by now. */
    takeForSystem: async (nameKey: string, systemId: number, session: ClientSession): Promise<void> => {
      const free = { _id: nameKey, systemId: null, customs: 0 };
      await names.updateOne(free, { $set: { systemId } }, { upsert: true, session });
    },

    /** One company stops using the name. */
    releaseForCompany: async (nameKey: string, session: ClientSession): Promise<void> => {
      await names.updateOne({ _id: nameKey }, { $inc: { customs: -1 } }, { session });
      await names.deleteOne({ _id: nameKey, systemId: null, customs: 0 }, { session });
    },
  };
}
