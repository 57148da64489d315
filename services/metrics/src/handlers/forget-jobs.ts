import type { forgetJobs } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { CounterStore } from '../store/counter-store.ts';

/** Drops the totals of jobs that are gone. The ids of their events stay in the ledger until they expire. */
export function forgetJobsHandler(counters: CounterStore): Handler<typeof forgetJobs> {
  return async ({ body }) => ({ data: { forgotten: await counters.forget(body.jobIds) } });
}
