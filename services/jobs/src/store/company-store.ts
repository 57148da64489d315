import { deadlineExceeded } from '@joblisting/contracts';
import type { Mongo } from '@joblisting/service-kit';
import { jobModel } from '../models/job.ts';

export type CompanyStore = ReturnType<typeof companyStore>;

/** How many jobs one write renames: it must end well within the socket's time-out. */
const CHUNK = 1000;

/** What jobs hold of their company. */
export function companyStore(mongo: Mongo) {
  const jobs = jobModel(mongo);

  return {
    /**
     * Gives every job of the company its name. Their versions stay, as with a rename of a category. Resolves to the number
     * of changed jobs. Throws `deadline_exceeded` if it is not done by the deadline; `accounts` sends the name again.
     */
    rename: async (companyId: number, name: string, deadline: number): Promise<number> => {
      let renamed = 0;
      const setName = async (ids: readonly number[]): Promise<void> => {
        if (Date.now() >= deadline) throw deadlineExceeded();
        const { modifiedCount } = await jobs.updateMany(
          { _id: { $in: [...ids] } },
          { $set: { companyName: name } },
        );
        renamed += modifiedCount;
      };
      let ids: number[] = [];
      const stale = jobs.find({ companyId, companyName: { $ne: name } }, { _id: 1 }).lean();
      for await (const { _id } of stale.cursor({ batchSize: CHUNK })) {
        ids.push(_id);
        if (ids.length < CHUNK) continue;
        await setName(ids);
        ids = [];
      }
      if (ids.length > 0) await setName(ids);
      return renamed;
    },

    count: (companyId: number): Promise<number> => jobs.countDocuments({ companyId }),
  };
}
