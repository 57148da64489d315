import type { Mongo } from '@joblisting/service-kit';
import { jobModel } from '../models/job.ts';

export type CountStore = ReturnType<typeof countStore>;

/** Absolute totals of one job. */
export interface Counts {
  readonly jobId: number;
  readonly view: number;
  readonly application: number;
  readonly clickThrough: number;
}

/** How many jobs one write changes: it must end well within the socket's time-out. */
const CHUNK = 1000;

/** The counts that jobs show. */
export function countStore(mongo: Mongo) {
  const jobs = jobModel(mongo);

  const raiseOne = ({ jobId, view, application, clickThrough }: Counts) => ({
    updateOne: {
      filter: { _id: jobId },
      update: {
        $max: { 'counts.view': view, 'counts.application': application, 'counts.clickThrough': clickThrough },
      },
    },
  });

  return {
    /**
     * Raises the counts to these totals; the larger one stays, so order and repetition do not matter.
     * Resolves to whether every job was found.
     */
    raise: async (counts: readonly Counts[]): Promise<boolean> => {
      let found = 0;
      for (let at = 0; at < counts.length; at += CHUNK) {
        const writes = counts.slice(at, at + CHUNK).map(raiseOne);
        found += (await jobs.bulkWrite(writes, { ordered: false })).matchedCount;
      }
      return found === counts.length;
    },
  };
}
