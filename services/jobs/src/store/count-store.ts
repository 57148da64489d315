import type { Mongo } from '@joblisting/service-kit';
import { jobsOf } from './collections.ts';

export type CountStore = ReturnType<typeof countStore>;

/** Absolute totals of one job. */
export interface Counts {
  readonly jobId: number;
  readonly view: number;
  readonly application: number;
  readonly clickThrough: number;
}

/** The counts that jobs show. */
export function countStore(mongo: Mongo) {
  const jobs = jobsOf(mongo);

  return {
    /**
     * Raises the counts to these totals; the larger one stays, so order and repetition do not matter.
     * Resolves to whether every job was found.
     */
    raise: async (counts: readonly Counts[]): Promise<boolean> => {
      if (counts.length === 0) return true;
      const writes = counts.map(({ jobId, view, application, clickThrough }) => ({
        updateOne: {
          filter: { _id: jobId },
          update: {
            $max: {
              'counts.view': view,
              'counts.application': application,
              'counts.clickThrough': clickThrough,
            },
          },
        },
      }));
      const { matchedCount } = await jobs.bulkWrite(writes, { ordered: false });
      return matchedCount === counts.length;
    },
  };
}
