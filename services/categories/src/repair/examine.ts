import type { Bus, CallContext } from '@joblisting/bus';
import { findHeldCategories } from '@joblisting/contracts';
import type { Clock } from '@joblisting/service-kit';
import { judge, type Reference, type Verdict } from '../domain/reference.ts';

/** Asks `jobs` about references, at most 1000, and sorts them by what became of them. Rejects as the call does. */
export type Examine = (
  references: readonly Reference[],
  context: CallContext,
) => Promise<Readonly<Record<Verdict, readonly Reference[]>>>;

export function examineWith(bus: Bus, clock: Clock): Examine {
  return async (references, context) => {
    if (references.length === 0) return { held: [], open: [], dead: [] };
    const jobIds = [...new Set(references.map(({ jobId }) => jobId))];
    const { data } = await bus.request(findHeldCategories, { body: { jobIds }, context });
    const jobs = new Map(data.map((job) => [job.jobId, job]));
    const now = clock.now();
    const verdicts = Map.groupBy(references, (one) => judge(one, jobs.get(one.jobId), now));
    return { held: [], open: [], dead: [], ...Object.fromEntries(verdicts) };
  };
}
