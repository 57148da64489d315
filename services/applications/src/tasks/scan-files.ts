import { growingPause, type Log } from '@joblisting/service-kit';
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
 * Returns a task that scans every file that waits, and removes infected ones. If the scanner does not answer, the run ends,
 * and the next ones pause for longer and longer. They go on after the file, in case it was the cause. Files that cannot be
 * scanned have such pauses of their own, and the others do not wait for them.
 */
export function scanningFiles(deps: ScanDeps): () => Promise<void> {
  const { scans, log, stopping } = deps;
  let after = 0;
  const scannerPause = growingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  /** By the ids under which they are stored. */
  const unscannable = new Set<string>();
  const unscannablePause = growingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

  const scanAll = async ({ id, files }: Application): Promise<void> => {
    for (const file of files) {
      if (stopping.aborted) return;
      if (file.scan !== 'pending' || unscannable.has(file.storedAs)) continue;
      try {
        await scanFile(id, file, deps);
        scannerPause.reset();
      } catch (err) {
        log.warn({ err, applicationId: id, file: file.id }, 'a file could not be scanned');
        if (!(err instanceof UnscannableError)) throw err;
        unscannable.add(file.storedAs);
        if (unscannablePause.isOver()) unscannablePause.extend();
      }
    }
  };

  return async () => {
    if (!scannerPause.isOver()) return;
    if (unscannablePause.isOver()) {
      if (unscannable.size === 0) unscannablePause.reset();
      unscannable.clear();
    }
    while (!stopping.aborted) {
      const pending = await scans.pending(after, READ_AT_ONCE);
      for (const application of pending) {
        after = application.id;
        try {
          await scanAll(application);
        } catch {
          scannerPause.extend();
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
  await scans.saveResult(id, file, await scan(content));
}
