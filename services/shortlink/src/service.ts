import { createLink, removeLinks, resolveLink } from '@joblisting/contracts';
import { endpoint, type MongoContext, type Parts, type ServiceDefinition } from '@joblisting/service-kit';
import { bitly, type Removing } from './bitly/bitly.ts';
import { newCode } from './codes.ts';
import { createLinkHandler } from './create-link.ts';
import { linkStore } from './link-store.ts';
import { builtinProvider } from './provider.ts';
import { removalStore } from './removal-store.ts';
import { removeLinksHandler } from './remove-links.ts';
import { resolveLinkHandler } from './resolve-link.ts';
import { settingsFrom, type ShortlinkConfig, shortlinkConfig } from './settings.ts';

/** Wires the service by hand: store, providers, endpoints, background work. */
function create({ config, mongo, clock, log }: MongoContext<ShortlinkConfig>): Parts {
  const settings = settingsFrom(config);
  const { addresses } = settings;
  const links = linkStore(mongo, clock, newCode);
  const atBitly = settings.bitly && bitly(settings.bitly, { mongo, clock, log, links, addresses });
  const provider =
    config.SHORTLINK_PROVIDER === 'bitly' && atBitly ? atBitly.provider : builtinProvider(links);
  let removing: Removing | undefined;

  return {
    start: () => links.createIndexes(),
    endpoints: [
      endpoint(createLink, createLinkHandler(links, provider, addresses), log),
      endpoint(resolveLink, resolveLinkHandler(links, addresses), log),
      endpoint(
        removeLinks,
        removeLinksHandler(links, () => removing?.nudge()),
        log,
      ),
    ],
    started: async () => {
      removing = atBitly?.startRemoving();
      const waiting = removing ? 0 : await removalStore(mongo).waiting();
      if (waiting > 0) {
        log.warn({ links: waiting }, 'links of jobs that are gone stay at bitly: BITLY_TOKEN is not set');
      }
    },
    stop: async () => removing?.stop(),
  };
}

export const shortlinkService: ServiceDefinition<ShortlinkConfig> = {
  name: 'shortlink',
  description: 'Short links to jobs',
  config: shortlinkConfig,
  mongo: true,
  create,
};
