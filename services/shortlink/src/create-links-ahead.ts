import type { createLinksAhead } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { Addresses } from './addresses.ts';
import type { LinkStore } from './link-store.ts';
import type { Provider } from './provider.ts';

/** Links of jobs that may come to be, where the provider makes them for nothing. Left out are those that could not be made. */
export function createLinksAheadHandler(
  links: LinkStore,
  { makesAhead }: Provider,
  { short }: Addresses,
): Handler<typeof createLinksAhead> {
  return async ({ body }) => {
    const made = makesAhead ? await links.createAhead(body.jobIds) : [];
    return { data: { links: made.map(({ jobId, code }) => ({ jobId, url: short(code) })) } };
  };
}
