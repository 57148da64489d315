import type { CallContext } from '@joblisting/bus';
import { ServiceError, status } from '@joblisting/contracts';
import { type Log, semaphore } from '@joblisting/service-kit';
import { type MissingJob, type Outcome, requestIdOf, type StoredSync } from '../domain/sync.ts';
import { lastStart } from '../store/retry-on-conflict.ts';
import type { SyncStore } from '../store/sync-store.ts';
import { changeJob } from './change-job.ts';
import { removeJob } from './delete-job.ts';
import type { Deps } from './deps.ts';

export interface FinishDeps extends Deps {
  readonly log: Log;
  readonly syncs: SyncStore;
}

const AT_ONCE = 16;
/** For one run of the task. */
const RUN_MS = 20_000;

/**
 * Closes, deletes or keeps the jobs that were not sent, as it was decided. Resolves to whether all are done before the
 * deadline (epoch ms). May be repeated after any crash, also concurrently: each job is written by compare-and-set.
 */
export async function finishSync(deps: FinishDeps, sync: StoredSync, deadline: number): Promise<boolean> {
  const { syncs } = deps;
  const isLate = () => Date.now() >= lastStart(deadline);
  for (let after: string | undefined, isEnd = false; ;) {
    for (let missing = await syncs.missing(sync); missing.length > 0; missing = await syncs.missing(sync)) {
      if (isLate()) return false;
      await applyToAll(deps, sync, missing, deadline);
    }
    if (isEnd) break;
    if (isLate()) return false;
    const scanned = await syncs.scan(sync, after, sync.decision?.missing === 'delete');
    const outcome = sync.decision?.missing === 'keep' ? 'kept' : 'missing';
    // Recorded first: after a crash, it is known which jobs the sync closed itself.
    await syncs.record(sync, [
      ...scanned.missing.map((job) => ({ ...job, jobId: job.id, outcome: outcome as Outcome })),
      ...scanned.changed.map((job) => ({ ...job, jobId: job.id, outcome: 'leftAlone' as const })),
    ]);
    ({ after } = scanned);
    isEnd = after === undefined;
  }
  await syncs.markCommitted(sync);
  return true;
}

/** Finishes commits that a crash or a lack of time has interrupted. */
export function finishSyncs(deps: FinishDeps, stopping: AbortSignal) {
  return async (): Promise<void> => {
    while (!stopping.aborted) {
      const sync = await deps.syncs.claimUnfinished(RUN_MS);
      if (!sync || !(await finishSync(deps, sync, Date.now() + RUN_MS))) return;
    }
  };
}

async function applyToAll(
  deps: FinishDeps,
  sync: StoredSync,
  missing: readonly MissingJob[],
  deadline: number,
): Promise<void> {
  const slots = semaphore(AT_ONCE);
  const applied = await Promise.all(
    missing.map((job) =>
      slots(async () => {
        if (Date.now() >= lastStart(deadline)) return [];
        return [{ ...job, outcome: await apply(deps, sync, job.id, deadline) }];
      }),
    ),
  );
  await deps.syncs.record(sync, applied.flat());
}

/** Closes or deletes one job, unless it has changed since the start of the sync, or a rule forbids it. */
async function apply(
  deps: FinishDeps,
  sync: StoredSync,
  jobId: number,
  deadline: number,
): Promise<'closed' | 'deleted' | 'leftAlone'> {
  const context = contextOf(sync, deadline);
  const load = () => deps.jobs.findUnchangedSince(jobId, sync.startedAt, deadline);
  const isDeletion = sync.decision?.missing === 'delete';
  const isDone = isDeletion ? await removed(deps, load, context) : await closed(deps, load, context);
  if (!isDone && !(await deps.syncs.isOwnChange(sync, jobId))) return 'leftAlone';
  return isDeletion ? 'deleted' : 'closed';
}

type Load = Parameters<typeof removeJob>[1];

/** False also if the job breaks a rule that is younger than itself. */
async function closed(deps: Deps, load: Load, context: CallContext): Promise<boolean> {
  const changes = { status: { id: status.closed } };
  try {
    return (
      (await changeJob(deps, { load, changes, ifMatch: undefined, dryRun: false, context })) !== undefined
    );
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'validation_failed') return false;
    throw error;
  }
}

async function removed(deps: Deps, load: Load, context: CallContext): Promise<boolean> {
  try {
    await removeJob(deps, load, undefined, context);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'job_not_found') return false;
    throw error;
  }
}

/** Who committed the sync, in its name. */
const contextOf = (sync: StoredSync, deadline: number): CallContext => {
  const by = sync.decision?.requestedBy;
  return {
    requestId: requestIdOf(sync),
    deadline,
    ...(by && { principal: { ...by, scopes: [], companyIds: [sync.companyId] } }),
  };
};
