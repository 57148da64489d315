import { type resolveLink, ServiceError } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { Addresses } from './addresses.ts';
import type { LinkStore } from './link-store.ts';

/** Where a code leads to. Throws `link_not_found`. */
export function resolveLinkHandler(links: LinkStore, addresses: Addresses): Handler<typeof resolveLink> {
  return async ({ params }) => {
    const link = await links.find(params.code);
    if (!link) throw new ServiceError('link_not_found');
    return { data: { location: addresses.share(link.jobId) } };
  };
}
