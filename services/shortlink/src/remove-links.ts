import type { removeLinks } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { LinkStore } from './link-store.ts';

/** Removes the links of jobs that are gone. What bitly has of them goes in the background, which `nudge` wakes. */
export function removeLinksHandler(links: LinkStore, nudge: () => void): Handler<typeof removeLinks> {
  return async ({ body }) => {
    const removed = await links.removeByJobs(body.jobIds);
    if (removed > 0) nudge();
    return { data: { removed } };
  };
}
