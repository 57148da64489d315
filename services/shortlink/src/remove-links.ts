import type { removeLinks } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { LinkStore } from './link-store.ts';

/** Removes the links of jobs that are gone. */
export function removeLinksHandler(links: LinkStore): Handler<typeof removeLinks> {
  return async ({ body }) => ({ data: { removed: await links.removeByJobs(body.jobIds) } });
}
