import { type createLink, type removeLinks, type resolveLink, ServiceError } from '@joblisting/contracts';
import type { Handler } from '@joblisting/service-kit';
import type { Addresses } from './addresses.ts';
import type { Link, LinkStore } from './link-store.ts';
import type { Provider } from './providers/provider.ts';

interface Deps {
  readonly links: LinkStore;
  readonly addresses: Addresses;
  readonly provider: Provider;
  /** Called when the provider may still have links to remove. */
  readonly onRemoved: () => void;
}

/** The short address of a job, or the fallback. The address of a job never changes, even if the provider does. */
export function createLinkHandler({ links, addresses, provider }: Deps): Handler<typeof createLink> {
  const storedAddress = ({ provider: name, code, bitlink }: Link): string | undefined =>
    name === 'builtin' ? addresses.short(code) : bitlink?.url;

  return async ({ body: { jobId }, context: { deadline } }) => {
    const link = await links.findOrCreate(jobId, provider.name);
    const url = link.isRemoved
      ? undefined
      : (storedAddress(link) ?? (await provider.shorten(link, deadline)));
    return {
      data: url === undefined ? { url: addresses.share(jobId), final: false } : { url, final: true },
    };
  };
}

/** Where a code leads to. Throws `link_not_found`. */
export function resolveLinkHandler({ links, addresses }: Deps): Handler<typeof resolveLink> {
  return async ({ params }) => {
    const link = await links.find(params.code);
    if (!link) throw new ServiceError('link_not_found');
    return { data: { location: addresses.share(link.jobId) } };
  };
}

/** Removes the links of deleted jobs. A task removes them at bitly. */
export function removeLinksHandler({ links, onRemoved }: Deps): Handler<typeof removeLinks> {
  return async ({ body }) => {
    const removed = await links.removeByJobs(body.jobIds);
    if (removed > 0) onRemoved();
    return { data: { removed } };
  };
}
