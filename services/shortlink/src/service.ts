import { createLink, removeLinks, resolveLink } from '@joblisting/contracts';
import {
  type Background,
  background,
  endpoint,
  type MongoContext,
  type Parts,
  prepareModels,
  type ServiceDefinition,
} from '@joblisting/service-kit';
import { type Addresses, addressesFrom } from './addresses.ts';
import { bitlinkStore } from './bitlink-store.ts';
import { budgetStore } from './budget-store.ts';
import {
  bitlySettings,
  type BitlySettings,
  checkConfig,
  type ShortlinkConfig,
  shortlinkConfig,
} from './config.ts';
import { createLinkHandler, removeLinksHandler, resolveLinkHandler } from './handlers.ts';
import { linkStore } from './link-store.ts';
import { allowanceModel } from './models/allowance.ts';
import { linkModel } from './models/link.ts';
import { bitlyApi } from './providers/bitly-api.ts';
import { bitlyCalls, callLimit } from './providers/bitly-calls.ts';
import { bitlyProvider } from './providers/bitly.ts';
import { builtinProvider } from './providers/provider.ts';
import { removeBitlinks } from './tasks/remove-bitlinks.ts';
import { sweepLinks } from './tasks/sweep-links.ts';

type Context = MongoContext<ShortlinkConfig>;

/** Intervals in milliseconds. Tests use shorter ones. */
interface Pace {
  readonly sweepEveryMs: number;
  readonly removeEveryMs: number;
  /** How long the circuit breaker stays open after failures in a row. */
  readonly breakMs: number;
}

/** Making and removing links have breakers of their own, but share pauses, budget and call limit. */
function bitly(
  settings: BitlySettings,
  addresses: Addresses,
  { mongo, clock, log, metrics }: Context,
  breakMs: number,
) {
  const budget = budgetStore(mongo, clock, settings);
  const shared = {
    api: bitlyApi(settings),
    limit: callLimit(settings.callsAtOnce),
    bitlinks: bitlinkStore(mongo),
    budget,
    addresses,
    clock,
    log,
  };
  const making = bitlyCalls({ task: 'make', breakMs, budget, log });
  const removing = bitlyCalls({ task: 'remove', breakMs, budget, log });
  metrics.gauge(
    {
      name: 'shortlink_provider_circuit_open',
      help: '1 while the provider is left alone after failures, by what was asked of it: make or remove.',
      labelNames: ['task'],
    },
    () => [
      { labels: { task: 'make' }, value: Number(making.isOpen()) },
      { labels: { task: 'remove' }, value: Number(removing.isOpen()) },
    ],
  );
  return {
    provider: bitlyProvider({ ...shared, calls: making }),
    removeBitlinks: (stopping: AbortSignal) => removeBitlinks({ ...shared, calls: removing }, stopping),
  };
}

function create(context: Context, { sweepEveryMs, removeEveryMs, breakMs }: Pace): Parts {
  const { bus, config, mongo, clock, log } = context;
  checkConfig(config);
  const settings = bitlySettings(config);
  const addresses = addressesFrom(config);
  const links = linkStore(mongo, clock);
  const atBitly = settings && bitly(settings, addresses, context, breakMs);
  const provider =
    config.SHORTLINK_PROVIDER === 'bitly' && atBitly ? atBitly.provider : builtinProvider(links, addresses);
  const stopping = new AbortController();
  let sweeping: Background | undefined;
  let removing: Background | undefined;
  const deps = { bus, links, addresses, provider, log, onRemoved: () => removing?.trigger() };

  return {
    start: () => prepareModels([linkModel(mongo), allowanceModel(mongo)]),
    endpoints: [
      endpoint(createLink, createLinkHandler(deps), log),
      endpoint(resolveLink, resolveLinkHandler(deps), log),
      endpoint(removeLinks, removeLinksHandler(deps), log),
    ],
    started: async () => {
      sweeping = background('sweep links', sweepEveryMs, sweepLinks(deps, stopping.signal), log);
      if (atBitly) {
        const task = atBitly.removeBitlinks(stopping.signal);
        removing = background('remove bitlinks', removeEveryMs, task, log);
        return;
      }
      const waiting = await bitlinkStore(mongo).countRemovals();
      if (waiting === 0) return;
      log.warn({ links: waiting }, 'links of jobs that are gone stay at bitly: BITLY_TOKEN is not set');
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([sweeping?.stop(), removing?.stop()]);
    },
  };
}

const USUAL_PACE: Pace = { sweepEveryMs: 30_000, removeEveryMs: 2000, breakMs: 5000 };

export const shortlinkServiceAt = (pace: Partial<Pace>): ServiceDefinition<ShortlinkConfig> => ({
  name: 'shortlink',
  description: 'Short links to jobs',
  config: shortlinkConfig,
  mongo: true,
  create: (context) => create(context, { ...USUAL_PACE, ...pace }),
});

export const shortlinkService = shortlinkServiceAt({});
