import { ownCall } from '@joblisting/service-kit';
import type { LinksPeer } from '../peers/links.ts';
import type { LinkStore } from '../store/link-store.ts';

const CHUNK = 20;
const LIMIT_MS = 2000;

/** Asks again for the short links of jobs that have only their fallback address. Ends where none is to be had. */
export function upgradeLinks(store: LinkStore, links: LinksPeer, stopping: AbortSignal) {
  const upgrade = async (jobId: number): Promise<boolean> => {
    const url = await links.shorten(jobId, ownCall(LIMIT_MS));
    if (url !== undefined) await store.upgrade(jobId, url);
    return url !== undefined;
  };

  return async (): Promise<void> => {
    let after = 0;
    while (!stopping.aborted) {
      const ids = await store.pending(after, CHUNK);
      const upgraded = await Promise.all(ids.map(upgrade));
      if (ids.length < CHUNK || !upgraded.includes(true)) return;
      after = ids.at(-1) ?? after;
    }
  };
}
