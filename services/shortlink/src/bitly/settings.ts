import { isWebUrl } from '@joblisting/service-kit';

/** How bitly is reached, and how much of it is used. */
export interface BitlySettings {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
  readonly domain: string | undefined;
  readonly group: string | undefined;
  readonly timeoutMs: number;
  readonly breakMs: number;
  /** Calls of one process. */
  readonly callsAtOnce: number;
  /** Links a period; 0: no limit. */
  readonly budget: number;
  readonly period: 'month' | 'day' | 'hour';
}

interface Config {
  readonly SHORTLINK_PROVIDER: string;
  readonly BITLY_URL: string;
  readonly BITLY_TOKEN?: string | undefined;
  readonly BITLY_DOMAIN?: string | undefined;
  readonly BITLY_GROUP?: string | undefined;
  readonly BITLY_TIMEOUT_MS: number;
  readonly BITLY_BREAK_MS: number;
  readonly BITLY_CALLS_AT_ONCE: number;
  readonly BITLY_BUDGET: number;
  readonly BITLY_BUDGET_PERIOD: BitlySettings['period'];
}

/** What the schemas of the single settings cannot tell. The token is never repeated. */
export function bitlyProblems(config: Config): string[] {
  const problems: string[] = [];
  if (config.SHORTLINK_PROVIDER === 'bitly' && config.BITLY_TOKEN === undefined) {
    problems.push('BITLY_TOKEN is required with SHORTLINK_PROVIDER=bitly');
  }
  if (!isWebUrl(config.BITLY_URL) || /[?#]/.test(config.BITLY_URL)) {
    problems.push('BITLY_URL must be an http or https address without query and fragment');
  } else if (!isSecret(new URL(config.BITLY_URL))) {
    problems.push('BITLY_URL must be https: the token goes there');
  }
  return problems;
}

/** Nobody reads on the way. */
const isSecret = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** Undefined where there is no token to use bitly with. */
export function bitlyFrom(config: Config): BitlySettings | undefined {
  if (config.BITLY_TOKEN === undefined) return undefined;
  return {
    url: config.BITLY_URL.replace(/\/+$/, ''),
    token: config.BITLY_TOKEN,
    domain: config.BITLY_DOMAIN,
    group: config.BITLY_GROUP,
    timeoutMs: config.BITLY_TIMEOUT_MS,
    breakMs: config.BITLY_BREAK_MS,
    callsAtOnce: config.BITLY_CALLS_AT_ONCE,
    budget: config.BITLY_BUDGET,
    period: config.BITLY_BUDGET_PERIOD,
  };
}
