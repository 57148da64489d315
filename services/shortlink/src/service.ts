import { createLink, removeLinks, resolveLink } from '@joblisting/contracts';
import { type ConfigOf, endpoint, type ServiceDefinition } from '@joblisting/service-kit';
import { Type } from 'typebox';
import { addressesFrom } from './addresses.ts';
import { newCode } from './codes.ts';
import { createLinkHandler } from './create-link.ts';
import { linkStore } from './link-store.ts';
import { providerFor, type ProviderName, providerNames } from './provider.ts';
import { removeLinksHandler } from './remove-links.ts';
import { resolveLinkHandler } from './resolve-link.ts';

const config = {
  PUBLIC_URL: Type.String({
    default: 'http://localhost:8080',
    description: 'Public address of the gateway: short links are made under it.',
  }),
  SEARCH_URL: Type.String({
    default: 'https://search.example.com',
    description: 'Public job-search address, where links lead to.',
  }),
  SHORTLINK_PROVIDER: Type.Unsafe<ProviderName>({
    type: 'string',
    enum: [...providerNames],
    default: 'builtin',
    description: 'Who makes the short addresses.',
  }),
};

export const shortlinkService: ServiceDefinition<ConfigOf<typeof config>> = {
  name: 'shortlink',
  description: 'Short links to jobs',
  config,
  mongo: true,
  create: ({ config, mongo, clock, log }) => {
    const addresses = addressesFrom(config);
    const links = linkStore(mongo, clock, newCode);
    const provider = providerFor(config.SHORTLINK_PROVIDER, addresses);
    return {
      start: async () => void (await links.createIndexes()),
      endpoints: [
        endpoint(createLink, createLinkHandler(links, provider, addresses), log),
        endpoint(resolveLink, resolveLinkHandler(links, addresses), log),
        endpoint(removeLinks, removeLinksHandler(links), log),
      ],
    };
  },
};
