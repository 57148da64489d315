import type { createLink } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { Addresses } from './addresses.ts';
import type { LinkStore } from './link-store.ts';
import type { Provider } from './provider.ts';

/** The short address of a job, or where the provider has none now, the fallback, which is not final. */
export function createLinkHandler(
  links: LinkStore,
  provider: Provider,
  addresses: Addresses,
): Handler<typeof createLink> {
  return async ({ body }) => {
    const link = await links.findOrCreate(body.jobId);
    const url = await provider.shorten(link);
    return {
      data: url === undefined ? { url: addresses.share(body.jobId), final: false } : { url, final: true },
    };
  };
}
