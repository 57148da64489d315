import type { FileStore } from '../store/file-store.ts';

/** Removes the files that a crash has left without an application. */
export async function sweepFiles(files: FileStore, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    if ((await files.sweep(new Date())) === 0) return;
  }
}
