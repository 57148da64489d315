import { ownCall } from '@joblisting/service-kit';
import type { LinksClient } from '../clients/links.ts';
import type { LinkStore } from '../store/link-store.ts';

/** As many links as a provider creates at once: more would delay the links of new jobs. */
const CHUNK = 4;
const LIMIT_MS = 2000;
/** With runs each 2 s: about half a minute. */
const LONGEST_PAUSE_RUNS = 15;

/**
 * Requests again the short links of jobs that have only their fallback address. A run ends when a chunk gets none. The
 * next run continues after it, so that no job blocks the others, and starts over after the last job. After runs without
 * success it skips more and more of them.
 */
export function upgradeLinks(
  store: LinkStore,
  links: LinksClient,
  stopping: AbortSignal,
): () => Promise<void> {
  let after = 0;
  let failedRuns = 0;
  let runsToSkip = 0;

  const upgrade = async (jobId: number): Promise<boolean> => {
    const url = await links.shorten(jobId, ownCall(LIMIT_MS));
    if (url === undefined) return false;
    // The job was deleted since it was read, so this call may have made its link anew. `shortlink` sweeps what stays.
    if (!(await store.upgrade(jobId, url))) {
      await links.removeLinks([jobId], ownCall(LIMIT_MS)).catch(() => undefined);
    }
    return true;
  };

  return async () => {
    if (runsToSkip > 0) {
      runsToSkip--;
      return;
    }
    while (!stopping.aborted) {
      const ids = await store.pending(after, CHUNK);
      const isLastChunk = ids.length < CHUNK;
      after = isLastChunk ? 0 : (ids.at(-1) ?? 0);
      if (ids.length === 0) return;
      const upgraded = await Promise.all(ids.map(upgrade));
      if (!upgraded.includes(true)) {
        failedRuns++;
        runsToSkip = Math.min(2 ** failedRuns - 1, LONGEST_PAUSE_RUNS);
        return;
      }
      failedRuns = 0;
      if (isLastChunk) return;
    }
  };
}
