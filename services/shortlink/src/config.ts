import { type ConfigOf, ConfigError } from '@joblisting/service-kit';
import { Type } from 'typebox';
import { addressProblems, isBase, withoutSlash } from './addresses.ts';
import { type ProviderName, providerNames } from './models/link.ts';

type BudgetPeriod = 'month' | 'day' | 'hour';

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
    description: 'Address of the bitly API, without /v4.',
  }),
  BITLY_TOKEN: Type.Optional(
    Type.String({
      pattern: String.raw`^[\x21-\x7e]{1,512}$`,
      description: 'Access token. Keep it after switching back, so old links are deleted with their jobs.',
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
  BITLY_CALLS_AT_ONCE: Type.Integer({
    default: 4,
    minimum: 1,
    maximum: 100,
    description:
      'The most concurrent calls of one process. Bitly accepts five from one address, shared by all replicas behind it.',
  }),
  BITLY_BUDGET: Type.Integer({
    default: 0,
    minimum: 0,
    description: 'The most links that are made in a period; 0: no such limit.',
  }),
  BITLY_BUDGET_PERIOD: Type.Unsafe<BudgetPeriod>({
    type: 'string',
    enum: ['month', 'day', 'hour'],
    default: 'month',
    description: 'The calendar period of the budget, in UTC.',
  }),
};

export type ShortlinkConfig = ConfigOf<typeof shortlinkConfig>;

/** How bitly is reached, and how much of it is used. */
export interface BitlySettings {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  readonly domain: string | undefined;
  readonly group: string | undefined;
  readonly callsAtOnce: number;
  /** Links a period; 0: no limit. */
  readonly budget: number;
  readonly period: BudgetPeriod;
}

/** Throws ConfigError with all problems that the schema of a single setting cannot express. */
export function checkConfig(config: ShortlinkConfig): void {
  const problems = [...addressProblems(config), ...bitlyProblems(config)];
  if (problems.length > 0) throw new ConfigError(problems);
}

function bitlyProblems({ SHORTLINK_PROVIDER, BITLY_TOKEN, BITLY_URL }: ShortlinkConfig): string[] {
  const problems: string[] = [];
  if (SHORTLINK_PROVIDER === 'bitly' && BITLY_TOKEN === undefined) {
    problems.push('BITLY_TOKEN is required with SHORTLINK_PROVIDER=bitly');
  }
  if (!isBase(BITLY_URL)) {
    problems.push('BITLY_URL must be an http or https address without query and fragment');
  } else if (!isSafeForToken(new URL(BITLY_URL))) {
    problems.push('BITLY_URL must be https: the token goes there');
  }
  return problems;
}

/** Encrypted, or on this machine. */
const isSafeForToken = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** Undefined without a token. */
export function bitlySettings(config: ShortlinkConfig): BitlySettings | undefined {
  if (config.BITLY_TOKEN === undefined) return undefined;
  return {
    url: withoutSlash(config.BITLY_URL),
    token: config.BITLY_TOKEN,
    domain: config.BITLY_DOMAIN,
    group: config.BITLY_GROUP,
    callsAtOnce: config.BITLY_CALLS_AT_ONCE,
    budget: config.BITLY_BUDGET,
    period: config.BITLY_BUDGET_PERIOD,
  };
}
