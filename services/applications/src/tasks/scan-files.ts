import type { Log } from '@joblisting/service-kit';
import { type Scanner, UnscannableError } from '../clients/clamd.ts';
import type { Application } from '../domain/application.ts';
import type { StoredFile } from '../domain/file.ts';
import type { FileStore } from '../store/file-store.ts';
import type { ScanStore } from '../store/scan-store.ts';

const READ_AT_ONCE = 20;
const READ_LIMIT_MS = 10_000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

interface ScanDeps {
  readonly scans: ScanStore;
  readonly files: FileStore;
  readonly scan: Scanner;
  readonly log: Log;
  readonly stopping: AbortSignal;
}

/**
 * Returns a task that scans every file that waits, and removes infected ones. A file that cannot be scanned waits for the
 * next run. Where the scanner does not answer, the run ends, and the next ones pause for longer and longer. They go on
 * behind the file, in case it was the cause.
 */
export function scanningFiles(deps: ScanDeps): () => Promise<void> {
  const { scans, log, stopping } = deps;
  let after = 0;
  let pauseMs = 0;
  let pausedUntil = 0;

  const scanAll = async ({ id, files }: Application): Promise<void> => {
    for (const file of files) {
      if (stopping.aborted) return;
      if (file.scan !== 'pending') continue;
      try {
        await scanFile(id, file, deps);
        pauseMs = 0;
      } catch (err) {
        log.warn({ err, applicationId: id, file: file.id }, 'a file could not be scanned');
        if (!(err instanceof UnscannableError)) throw err;
      }
    }
  };

  return async () => {
    if (performance.now() < pausedUntil) return;
    while (!stopping.aborted) {
      const pending = await scans.pending(after, READ_AT_ONCE);
      for (const application of pending) {
        after = application.id;
        try {
          await scanAll(application);
        } catch {
          pauseMs = Math.min(pauseMs * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
          pausedUntil = performance.now() + pauseMs;
          return;
        }
      }
      if (pending.length === READ_AT_ONCE) continue;
      after = 0;
      return;
    }
  };
}

async function scanFile(id: number, file: StoredFile, { scans, files, scan }: ScanDeps): Promise<void> {
  const content = await files.read(file.storedAs, Date.now() + READ_LIMIT_MS);
  // It was erased meanwhile.
  if (!content) return;
  const result = await scan(content);
  await scans.saveResult(id, file, result);
  if (result === 'infected') await files.remove([file.storedAs]);
}
