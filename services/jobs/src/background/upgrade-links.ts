import { ownCall } from '@joblisting/service-kit';
import type { LinksPeer } from '../peers/links.ts';
import type { LinkStore } from '../store/link-store.ts';

/** Whether links are to be had is asked for a few jobs first. */
const FIRST = 4;
const CHUNK = 20;
const LIMIT_MS = 2000;
/** With runs each 2 s: about half a minute. */
const MOST_RESTS = 15;

/**
 * Asks again for the short links of jobs that have only their fallback address. A run ends where a group gets none;
 * the next one goes on behind it, so that no job keeps the others waiting, and begins anew behind the last job.
 * While runs are in vain, more and more of them are left out.
 */
export function upgradeLinks(store: LinkStore, links: LinksPeer, stopping: AbortSignal) {
  let after = 0;
  let runsInVain = 0;
  let rests = 0;

  const upgrade = async (jobId: number): Promise<boolean> => {
    const url = await links.shorten(jobId, ownCall(LIMIT_MS));
    if (url === undefined) return false;
    // The job may have been deleted since it was read, and the link made anew; `shortlink` sweeps what stays.
    if (!(await store.upgrade(jobId, url))) {
      await links.remove([jobId], ownCall(LIMIT_MS)).catch(() => undefined);
    }
    return true;
  };

  return async (): Promise<void> => {
    if (rests > 0) {
      rests--;
      return;
    }
    for (let size = FIRST; !stopping.aborted; size = CHUNK) {
      const ids = await store.pending(after, size);
      after = ids.length < size ? 0 : (ids.at(-1) ?? 0);
      if (ids.length === 0) return;
      const upgraded = await Promise.all(ids.map(upgrade));
      if (!upgraded.includes(true)) {
        runsInVain++;
        rests = Math.min(2 ** runsInVain - 1, MOST_RESTS);
        return;
      }
      runsInVain = 0;
      if (after === 0) return;
    }
  };
}
