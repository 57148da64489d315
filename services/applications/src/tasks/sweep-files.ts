import type { FileStore } from '../store/file-store.ts';

/** An application is stored long before: a request takes 60 s at most. */
const CHECK_AFTER_MS = 3600_000;

/** Removes files that a crash left behind before their application was stored. */
export async function sweepFiles(files: FileStore, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    // The machine's time: the driver dates files by it.
    const checked = await files.sweep(new Date(Date.now() - CHECK_AFTER_MS));
    if (checked === 0) return;
  }
}
