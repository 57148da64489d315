import type { Addresses } from './addresses.ts';
import type { Link } from './link-store.ts';

/** Who makes the short address of a link. */
export interface Provider {
  /**
   * The short address, the same one however often it is asked for; undefined where the provider is over its
   * limit or away. Never rejects and never takes long: a job waits for it (API decisions, "Short links").
   */
  readonly shorten: (link: Link) => Promise<string | undefined>;
}

export const providerNames = ['builtin'] as const;
export type ProviderName = (typeof providerNames)[number];

/** The provider that the configuration names. */
export function providerFor(name: ProviderName, addresses: Addresses): Provider {
  const makers: Record<ProviderName, () => Provider> = { builtin: () => builtinProvider(addresses) };
  return makers[name]();
}

/** Own codes under the public address: always there, without a limit. */
function builtinProvider(addresses: Addresses): Provider {
  return { shorten: ({ code }) => Promise.resolve(addresses.short(code)) };
}
