import type { TombstoneStore } from '../store/tombstone-store.ts';
import type { CleanUp } from '../use-cases/clean-up.ts';

const CHUNK = 100;

/** Finishes what DELETE could not: deleted jobs that other services still keep something of. */
export function cleanUpDeleted(tombstones: TombstoneStore, cleanUp: CleanUp, stopping: AbortSignal) {
  return async (): Promise<void> => {
    while (!stopping.aborted) {
      const ids = await tombstones.uncleaned(CHUNK);
      if (ids.length === 0 || !(await cleanUp(ids)) || ids.length < CHUNK) return;
    }
  };
}
