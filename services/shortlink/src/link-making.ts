import type { createLink, ReplyOf } from '@joblisting/contracts';
import type { Addresses } from './addresses.ts';
import type { LinkStore } from './link-store.ts';
import type { Provider } from './provider.ts';
import type { Link } from './stored-link.ts';

export type MakeLink = ReturnType<typeof linkMaking>;

/**
 * Makes the short address of a job, or where the provider has none now, the fallback, which is not final. An address
 * that was given stays, whichever provider is configured later.
 */
export function linkMaking(links: LinkStore, provider: Provider, addresses: Addresses) {
  const addressOf = ({ removed, provider, bitlink, code }: Link): string | undefined => {
    if (removed) return undefined;
    return provider === 'builtin' ? addresses.short(code) : bitlink?.url;
  };

  /** Rejects with `deadline_exceeded` where `deadline` (epoch ms) comes first. */
  return async (jobId: number, deadline: number): Promise<ReplyOf<typeof createLink>> => {
    const found = await links.findOrCreate(jobId, provider.name, deadline);
    const isWaiting = !found.removed && addressOf(found) === undefined;
    const url = addressOf(isWaiting ? await provider.settle(found, deadline) : found);
    return url === undefined ? { url: addresses.share(jobId), final: false } : { url, final: true };
  };
}
