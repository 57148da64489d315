import type { Mongo } from '@joblisting/service-kit';
import { retentionModel } from '../models/retention.ts';

export type RetentionStore = ReturnType<typeof retentionStore>;

/** Companies that keep their applications for another time than the setting says. */
export function retentionStore(mongo: Mongo) {
  const retention = retentionModel(mongo);

  return {
    /** null: the setting holds for the company again. */
    set: async (companyId: number, days: number | null): Promise<void> => {
      if (days === null) await retention.deleteOne({ _id: companyId });
      else await retention.updateOne({ _id: companyId }, { $set: { days } }, { upsert: true });
    },

    all: async (): Promise<{ readonly companyId: number; readonly days: number }[]> =>
      (await retention.find().lean()).map(({ _id, days }) => ({ companyId: _id, days })),
  };
}
