import { INT32_MAX, ServiceError } from '@joblisting/contracts';
import type { Clock, TaskOutcome } from '@joblisting/service-kit';
import type { JobsClient } from '../clients/jobs.ts';
import type { PostingStore } from '../store/posting-store.ts';
import type { RefreshStore } from '../store/refresh-store.ts';

interface RefreshDeps {
  readonly jobs: JobsClient;
  readonly postings: PostingStore;
  readonly refreshes: RefreshStore;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
}

/**
 * Reads published jobs page by page, from `after` on, all or those of one company: at first start, for names that changed
 * without an event, and for events that were lost. `onPage` gets the id to go on after.
 */
async function readAll(
  { jobs, postings, clock, stopping }: Omit<RefreshDeps, 'refreshes'>,
  { after: from, companyId }: { readonly after: number; readonly companyId?: number },
  onPage: (after: number) => Promise<void>,
): Promise<void> {
  for (let after: number | null = from; after !== null && !stopping.aborted;) {
    const since = clock.now();
    const page = await jobs.read({ after, ...(companyId !== undefined && { companyId }) });
    await postings.put(page.jobs, clock.now());
    const upTo = page.next ?? INT32_MAX;
    const ids = page.jobs.map(({ id }) => id);
    await postings.hideOthers({ after, upTo, companyId }, ids, since);
    after = page.next;
    if (after !== null) await onPage(after);
  }
}

/** Reads all published jobs if that is due and no other replica does it. Goes on where one was ended. */
export async function refreshPostings(deps: RefreshDeps): Promise<TaskOutcome> {
  const lease = await deps.refreshes.claim();
  if (lease === undefined) return 'idle';
  try {
    await readAll(deps, { after: lease.after }, lease.saveProgress);
    if (!deps.stopping.aborted) await lease.finish();
  } catch (error) {
    await lease.release();
    // `jobs` may start later than this service.
    if (error instanceof ServiceError && error.reason === 'no_responder') return 'idle';
    throw error;
  }
}

/** Reads the published jobs of one company, whose name may have changed. */
export const refreshCompany = (deps: Omit<RefreshDeps, 'refreshes'>, companyId: number): Promise<void> =>
  readAll(deps, { after: 0, companyId }, async () => undefined);
