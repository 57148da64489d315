import type { createLink } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { Addresses } from './addresses.ts';
import type { LinkStore } from './link-store.ts';
import type { Provider } from './provider.ts';
import type { Link } from './stored-link.ts';

/**
 * The short address of a job, or where the provider has none now, the fallback, which is not final. An address
 * that was given stays, whichever provider is configured later.
 */
export function createLinkHandler(
  links: LinkStore,
  provider: Provider,
  addresses: Addresses,
): Handler<typeof createLink> {
  const addressOf = ({ removed, provider, bitlink, code }: Link): string | undefined => {
    if (removed) return undefined;
    return provider === 'builtin' ? addresses.short(code) : bitlink?.url;
  };

  return async ({ body, context }) => {
    const found = await links.findOrCreate(body.jobId, provider.name, context.deadline);
    const isWaiting = !found.removed && addressOf(found) === undefined;
    const url = addressOf(isWaiting ? await provider.settle(found, context.deadline) : found);
    return {
      data: url === undefined ? { url: addresses.share(body.jobId), final: false } : { url, final: true },
    };
  };
}
