import type { Scanner } from '../clamd.ts';
import type { FileStore } from '../store/file-store.ts';
import type { ScanStore } from '../store/scan-store.ts';

const SCANNED_AT_ONCE = 20;

interface ScanDeps {
  readonly scans: ScanStore;
  readonly files: FileStore;
  readonly scan: Scanner;
  readonly stopping: AbortSignal;
}

/** Scans files that wait, and removes infected ones. Rejects where the scanner does not answer: the files go on waiting. */
export async function scanFiles({ scans, files, scan, stopping }: ScanDeps): Promise<void> {
  while (!stopping.aborted) {
    const pending = await scans.pending(SCANNED_AT_ONCE);
    for (const application of pending) {
      for (const file of application.files.filter((one) => one.scan === 'pending')) {
        const content = await files.read(file.storedAs);
        // An infected file is gone where an earlier scan ended before its note.
        const result = content ? await scan(content) : 'infected';
        if (result === 'infected') await files.remove([file.storedAs]);
        await scans.note(application, file, result);
      }
    }
    if (pending.length < SCANNED_AT_ONCE) return;
  }
}
