import type { Clock } from '@joblisting/service-kit';
import type { ApplicationStore } from '../store/application-store.ts';
import type { RetentionStore } from '../store/retention-store.ts';

const DAY_MS = 24 * 3600_000;
const ERASED_AT_ONCE = 50;
const ERASE_LIMIT_MS = 10_000;

interface ExpiryDeps {
  readonly applications: ApplicationStore;
  readonly retention: RetentionStore;
  readonly clock: Clock;
  /** Where the company has no days of its own. */
  readonly days: number;
  readonly stopping: AbortSignal;
}

/** Erases applications whose retention is over. Several replicas at once do no harm. */
export async function eraseExpired({
  applications,
  retention,
  clock,
  days,
  stopping,
}: ExpiryDeps): Promise<void> {
  const overrides = await retention.all();
  const groups = [
    { days, companies: { except: overrides.map(({ companyId }) => companyId) } },
    ...overrides.map((one) => ({ days: one.days, companies: { only: one.companyId } })),
  ];
  for (const group of groups) {
    const before = clock.now() - group.days * DAY_MS;
    for (let isFull = true; isFull && !stopping.aborted;) {
      const expired = await applications.findReceivedBefore(before, group.companies, ERASED_AT_ONCE);
      for (const application of expired) {
        if (stopping.aborted) return;
        await applications.erase(application, clock.now(), Date.now() + ERASE_LIMIT_MS);
      }
      isFull = expired.length === ERASED_AT_ONCE;
    }
  }
}
