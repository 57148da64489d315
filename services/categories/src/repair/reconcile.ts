import type { Bus, CallContext } from '@joblisting/bus';
import { findHeldCategories } from '@joblisting/contracts';
import type { Clock } from '@joblisting/service-kit';
import { judge, type Reference } from '../domain/reference.ts';
import type { ReferenceStore } from '../store/reference-store.ts';

/** What became of some references. `open` ones are too young to tell. */
export interface Reconciled {
  readonly held: readonly Reference[];
  readonly open: readonly Reference[];
  readonly dropped: number;
}

/** Asks `jobs` about references, at most 1000, and drops those that a crash or a lost release left behind. */
export type Reconcile = (references: readonly Reference[], context: CallContext) => Promise<Reconciled>;

export function reconcileWith(bus: Bus, store: ReferenceStore, clock: Clock): Reconcile {
  return async (references, context) => {
    if (references.length === 0) return { held: [], open: [], dropped: 0 };
    const jobIds = [...new Set(references.map(({ jobId }) => jobId))];
    const { data } = await bus.request(findHeldCategories, { body: { jobIds }, context });
    const jobs = new Map(data.map((job) => [job.jobId, job]));
    const now = clock.now();
    const verdicts = Map.groupBy(references, (one) => judge(one, jobs.get(one.jobId), now));
    const { held = [], open = [], dead = [] } = Object.fromEntries(verdicts);
    const dropped = dead.length > 0 ? await store.drop(dead, context.deadline) : 0;
    return { held, open, dropped };
  };
}
