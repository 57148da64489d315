import type { Addresses } from '../addresses.ts';
import type { Link, LinkStore } from '../link-store.ts';
import type { ProviderName } from '../models/link.ts';

/** Who makes the short addresses. */
export interface Provider {
  readonly name: ProviderName;
  /**
   * The address of a link that has none yet; undefined where there is none to be had now. Never rejects because of
   * the provider and never takes long: a new job waits for it (API decisions, "Short links").
   * @param deadline when the caller stops waiting, in epoch milliseconds
   */
  readonly shorten: (link: Link, deadline: number) => Promise<string | undefined>;
}

/** Own codes under the public address: always there, without a limit. Only links that waited for bitly have none yet. */
export const builtinProvider = (links: LinkStore, addresses: Addresses): Provider => ({
  name: 'builtin',
  shorten: async (link) => ((await links.makeBuiltin(link)) ? addresses.short(link.code) : undefined),
});
