import type { LinkStore } from './link-store.ts';
import type { Link, ProviderName } from './stored-link.ts';

/** Who makes the short addresses of links that have none yet. */
export interface Provider {
  /** Whom new links are made for. */
  readonly name: ProviderName;
  /** Whether links of jobs that may never come to be cost nothing. */
  readonly makesAhead: boolean;
  /**
   * Gives the link an address where one is to be had now, and resolves to what it has then. Never rejects because
   * of the provider and never takes long: a job waits for it (API decisions, "Short links").
   * @param deadline when the caller stops waiting, in epoch milliseconds
   */
  readonly settle: (link: Link, deadline: number) => Promise<Link>;
}

/** Own codes under the public address: always there, without a limit. */
export function builtinProvider(links: LinkStore): Provider {
  return { name: 'builtin', makesAhead: true, settle: (link) => links.takeOver(link) };
}
