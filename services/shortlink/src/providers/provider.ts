import type { Addresses } from '../addresses.ts';
import type { Link, LinkStore } from '../link-store.ts';
import type { ProviderName } from '../models/link.ts';

/** Who makes the short addresses. */
export interface Provider {
  readonly name: ProviderName;
  /**
   * Makes the address of a link that has none; undefined if the provider has none now. Never rejects because of the
   * provider and never takes long: a new job waits for it (API decisions, "Short links").
   * @param deadline when the caller stops waiting, in epoch milliseconds
   */
  readonly shorten: (link: Link, deadline: number) => Promise<string | undefined>;
}

/**
 * Codes under the public address: always available, without a limit. Only a link that waited for bitly has no address
 * yet.
 */
export const builtinProvider = (links: LinkStore, addresses: Addresses): Provider => ({
  name: 'builtin',
  shorten: async (link) => ((await links.makeBuiltin(link)) ? addresses.short(link.code) : undefined),
});
