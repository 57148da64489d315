import type { Clock, TaskOutcome } from '@joblisting/service-kit';
import type { LogStore } from '../store/log-store.ts';

const DAY_MS = 24 * 3600_000;

interface ExpiryDeps {
  readonly logs: LogStore;
  readonly clock: Clock;
  readonly days: number;
  readonly stopping: AbortSignal;
}

/** Removes events whose retention is over, the oldest first. Several replicas at once do no harm. */
export const removingExpired =
  ({ logs, clock, days, stopping }: ExpiryDeps): (() => Promise<TaskOutcome>) =>
  async () => {
    const before = clock.now() - days * DAY_MS;
    for (let isLeft = true; isLeft && !stopping.aborted;) isLeft = await logs.removeBefore(before);
  };
