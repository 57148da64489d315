import type { Clock, Metrics } from '@joblisting/service-kit';
import type { CopyStore } from '../store/copy-store.ts';
import type { ScanStore } from '../store/scan-store.ts';

interface Queues {
  /** Undefined if no e-mail is sent. */
  readonly oldestDue: CopyStore['oldestDue'] | undefined;
  readonly scans: ScanStore;
  readonly clock: Clock;
}

/** Shows what waits: e-mail copies, and files to scan. */
export function watchQueues(metrics: Metrics, { oldestDue, scans, clock }: Queues): void {
  metrics.gauge(
    {
      name: 'applications_copy_oldest_waiting_seconds',
      help: 'How long the next e-mail copy to send has been due; 0 if none is due. A deferred copy is due after its pause.',
    },
    async () => {
      const now = clock.now();
      const dueAt = await oldestDue?.(now);
      return dueAt === undefined ? 0 : Math.max(0, now - dueAt) / 1000;
    },
  );
  metrics.gauge(
    {
      name: 'applications_scan_oldest_waiting_seconds',
      help: 'Age of the oldest application with files that wait for the virus scanner; 0 if none wait.',
    },
    async () => {
      const receivedAt = await scans.oldestPending();
      return receivedAt === undefined ? 0 : Math.max(0, clock.now() - receivedAt) / 1000;
    },
  );
}
