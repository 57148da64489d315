import type { Log } from '@joblisting/service-kit';
import type { Scanner } from '../clients/clamd.ts';
import type { Application } from '../domain/application.ts';
import type { StoredFile } from '../domain/file.ts';
import type { FileStore } from '../store/file-store.ts';
import type { ScanStore } from '../store/scan-store.ts';

const READ_AT_ONCE = 20;
const READ_LIMIT_MS = 10_000;

interface ScanDeps {
  readonly scans: ScanStore;
  readonly files: FileStore;
  readonly scan: Scanner;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

/** Scans every file that waits, and removes infected ones. A file that cannot be scanned waits for the next run. */
export async function scanFiles(deps: ScanDeps): Promise<void> {
  const { scans, log, stopping } = deps;
  let after = 0;
  while (!stopping.aborted) {
    const pending = await scans.pending(after, READ_AT_ONCE);
    for (const application of pending) {
      for (const file of application.files) {
        if (stopping.aborted) return;
        if (file.scan !== 'pending') continue;
        await scanFile(application, file, deps).catch((err: unknown) => {
          log.warn({ err, applicationId: application.id, file: file.id }, 'a file could not be scanned');
        });
      }
    }
    after = pending.at(-1)?.id ?? 0;
    if (pending.length < READ_AT_ONCE) return;
  }
}

async function scanFile(
  application: Application,
  file: StoredFile,
  { scans, files, scan }: ScanDeps,
): Promise<void> {
  const content = await files.read(file.storedAs, Date.now() + READ_LIMIT_MS);
  // It was erased meanwhile.
  if (!content) return;
  const result = await scan(content);
  await scans.saveResult(application, file, result);
  if (result === 'infected') await files.remove([file.storedAs]);
}
