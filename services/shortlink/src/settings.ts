import { type ConfigOf, ConfigError } from '@joblisting/service-kit';
import { Type } from 'typebox';
import { type Addresses, addressesFrom, addressProblems } from './addresses.ts';
import { bitlyFrom, bitlyProblems, type BitlySettings } from './bitly/settings.ts';
import { type ProviderName, providerNames } from './stored-link.ts';

/** What this service reads from the environment besides the common settings. */
export const shortlinkConfig = {
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
  BITLY_URL: Type.String({
    default: 'https://api-ssl.bitly.com',
    description: 'Where the API of bitly is, without /v4.',
  }),
  BITLY_TOKEN: Type.Optional(
    Type.String({
      pattern: String.raw`^[\x21-\x7e]{1,512}$`,
      description:
        'Access token. Kept with another provider, the links made before still go with their jobs.',
    }),
  ),
  BITLY_DOMAIN: Type.Optional(
    Type.String({
      pattern: String.raw`^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$`,
      description: 'Short domain of the links. Default: the one of the account.',
    }),
  ),
  BITLY_GROUP: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9]{1,64}$', description: 'Group that the links belong to.' }),
  ),
  BITLY_TIMEOUT_MS: Type.Integer({
    default: 350,
    minimum: 50,
    maximum: 400,
    description: 'How long a new job waits for bitly.',
  }),
  BITLY_BREAK_MS: Type.Integer({
    default: 5000,
    minimum: 10,
    maximum: 3_600_000,
    description: 'How long bitly is left alone after five failures in a row.',
  }),
  BITLY_CALLS_AT_ONCE: Type.Integer({
    default: 4,
    minimum: 2,
    maximum: 100,
    description:
      'Calls that one process has under way at most. Bitly takes five at once from one address: of all replicas behind it.',
  }),
  BITLY_BUDGET: Type.Integer({
    default: 0,
    minimum: 0,
    description: 'The most links that are made in a period; 0: no such limit.',
  }),
  BITLY_BUDGET_PERIOD: Type.Unsafe<'month' | 'day' | 'hour'>({
    type: 'string',
    enum: ['month', 'day', 'hour'],
    default: 'month',
    description: 'The period of the budget, a calendar one in UTC.',
  }),
};

export type ShortlinkConfig = ConfigOf<typeof shortlinkConfig>;

export interface Settings {
  readonly addresses: Addresses;
  /** Undefined where there is no token. */
  readonly bitly: BitlySettings | undefined;
}

/** Throws ConfigError with everything that is wrong. */
export function settingsFrom(config: ShortlinkConfig): Settings {
  const problems = [...addressProblems(config), ...bitlyProblems(config)];
  if (problems.length > 0) throw new ConfigError(problems);
  return { addresses: addressesFrom(config), bitly: bitlyFrom(config) };
}
