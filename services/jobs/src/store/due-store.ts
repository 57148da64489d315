import type { Mongo } from '@joblisting/service-kit';
import { atMost } from './at-most.ts';
import { dueIndex, dueOfCompanyIndex, jobsName, jobsOf } from './collections.ts';
import { inChunks } from './in-chunks.ts';
import { isAnyIn } from './is-any.ts';
import { type JobDocument, timelineFields } from './job-document.ts';
import { overlapped } from './overlapped.ts';
import { type DueJob, settlements } from './settlements.ts';

export type DueStore = ReturnType<typeof dueStore>;

/**
 * Of one process. At a noon many companies may be asked for at once, whose runs go on when nobody waits any more: more
 * would take the connections of all other requests, and wait so long for their turn that they seem to be left behind.
 */
const SETTLEMENTS_AT_ONCE = 4;

const dueFields = { ...timelineFields, companyId: 1, settledBy: 1 } as const;

/** Jobs whose next transition has come. */
export function dueStore(mongo: Mongo) {
  const jobs = jobsOf(mongo);
  const isAny = isAnyIn<JobDocument>(mongo, jobsName);
  const settled = settlements(mongo);
  const inTurn = atMost(SETTLEMENTS_AT_ONCE);

  return {
    /** Whether a transition has come that is not stored yet. */
    isDue: (now: number): Promise<boolean> => isAny({ nextTransitionAt: { $lte: new Date(now) } }, dueIndex),

    /**
     * Stores the transitions that have come, of one company or of all, `size` jobs at a time, and tells of how many
     * jobs it did so. It does no more than it is asked for. What becomes due meanwhile may be left.
     */
    settle: async function* (
      companyId: number | undefined,
      now: number,
      size: number,
    ): AsyncGenerator<number> {
      const due = { nextTransitionAt: { $lte: new Date(now) } };
      // Named, as either would do: the other one holds what is due of all companies, and was a moment ago.
      const found = (
        companyId === undefined
          ? jobs.find(due, { hint: dueIndex })
          : jobs.find({ companyId, ...due }, { hint: dueOfCompanyIndex })
      )
        .project<DueJob>(dueFields)
        .batchSize(size);
      yield* overlapped(inChunks(found, size), async (chunk) => {
        await inTurn(() => settled.settle(chunk, now));
        return chunk.length;
      });
    },

    /** Stores what a process that is gone has left undone. */
    finishLeft: settled.finishLeft,
  };
}
