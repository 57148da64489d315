import type { Clock, Metrics } from '@joblisting/service-kit';
import type { CopyStore } from '../store/copy-store.ts';
import type { ScanStore } from '../store/scan-store.ts';

/** Shows what waits: e-mail copies, and files to scan. */
export function watchQueues(metrics: Metrics, copies: CopyStore, scans: ScanStore, clock: Clock): void {
  metrics.gauge(
    {
      name: 'applications_copy_oldest_waiting_seconds',
      help: 'Age of the oldest application with an e-mail copy that is not sent yet; 0 where there is none.',
    },
    async () => {
      const receivedAt = await copies.oldestWaiting();
      return receivedAt === undefined ? 0 : Math.max(0, clock.now() - receivedAt) / 1000;
    },
  );
  metrics.gauge(
    { name: 'applications_files_pending', help: 'Applications with files that wait for the virus scanner.' },
    () => scans.countPending(),
  );
}
