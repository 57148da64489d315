import { createLink, createLinks, createLinksAhead, removeLinks, resolveLink } from '@joblisting/contracts';
import {
  type Background,
  background,
  endpoint,
  type MongoContext,
  type Parts,
  type ServiceDefinition,
} from '@joblisting/service-kit';
import { bitly, type Removing } from './bitly/bitly.ts';
import { newCode } from './codes.ts';
import { createLinkHandler } from './create-link.ts';
import { createLinksAheadHandler } from './create-links-ahead.ts';
import { createLinksHandler } from './create-links.ts';
import { linkMaking } from './link-making.ts';
import { linkStore } from './link-store.ts';
import { builtinProvider } from './provider.ts';
import { removalStore } from './removal-store.ts';
import { removeLinksHandler } from './remove-links.ts';
import { resolveLinkHandler } from './resolve-link.ts';
import { settingsFrom, type ShortlinkConfig, shortlinkConfig } from './settings.ts';
import { sweepLinks } from './sweep-links.ts';

const SWEEP_EVERY_MS = 30_000;

/** Wires the service by hand: store, providers, endpoints, background work. */
function create({ bus, config, mongo, clock, log, metrics }: MongoContext<ShortlinkConfig>): Parts {
  const settings = settingsFrom(config);
  const { addresses } = settings;
  const links = linkStore(mongo, clock, newCode);
  const atBitly = settings.bitly && bitly(settings.bitly, { mongo, clock, log, addresses, metrics });
  const provider =
    config.SHORTLINK_PROVIDER === 'bitly' && atBitly ? atBitly.provider : builtinProvider(links);
  const make = linkMaking(links, provider, addresses);
  let removing: Removing | undefined;
  let sweeping: Background | undefined;
  const nudge = () => removing?.nudge();
  const stopping = new AbortController();
  const sweep = sweepLinks(bus, links, nudge, log, stopping.signal);

  return {
    start: async () => {
      await links.createIndexes();
      await atBitly?.createIndexes();
    },
    endpoints: [
      endpoint(createLink, createLinkHandler(make), log),
      endpoint(createLinks, createLinksHandler(make), log),
      endpoint(createLinksAhead, createLinksAheadHandler(links, provider, addresses), log),
      endpoint(resolveLink, resolveLinkHandler(links, addresses), log),
      endpoint(removeLinks, removeLinksHandler(links, nudge), log),
    ],
    started: async () => {
      sweeping = background('sweep links', SWEEP_EVERY_MS, sweep, log);
      removing = await atBitly?.startRemoving();
      const waiting = removing ? 0 : await removalStore(mongo).waiting();
      if (waiting > 0) {
        log.warn({ links: waiting }, 'links of jobs that are gone stay at bitly: BITLY_TOKEN is not set');
      }
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([sweeping?.stop(), removing?.stop()]);
    },
  };
}

export const shortlinkService: ServiceDefinition<ShortlinkConfig> = {
  name: 'shortlink',
  description: 'Short links to jobs',
  config: shortlinkConfig,
  mongo: true,
  create,
};
