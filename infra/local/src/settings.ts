import { resolve } from 'node:path';
import { Problem } from '../bootstrap/problem.mjs';
import { root } from '../bootstrap/paths.mjs';

/** What the environment decides about the embedded start. */
export type Settings = {
  /** Where the gateway listens. */
  readonly host: string;
  readonly port: number;
  /** How clients reach the gateway, without a slash at the end. */
  readonly publicUrl: string;
  /** The public job search that short links lead to. */
  readonly searchUrl: string;
  readonly dataDir: string;
  /** Moves the clock of every service, in milliseconds. */
  readonly clockOffsetMs: number;
  /** Servers that run elsewhere; undefined: they are started here. */
  readonly mongodbUri: string | undefined;
  readonly natsUrl: string | undefined;
  /** Where services send traces; undefined: nowhere. */
  readonly tracesUrl: string | undefined;
};

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
/** A moved clock stays a date: those end 8.64e15 ms from 1970. */
const furthestMs = 8e15;
const web = ['http:', 'https:'];

/**
 * Reads the settings; an empty variable counts as absent.
 * @throws Problem with a line for each wrong variable: its name and what it takes.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const problems: string[] = [];
  const read = (name: string): string | undefined => environment[name] || undefined;

  const whole = (name: string, fallback: number, least: number, most: number): number => {
    const value = read(name);
    if (value === undefined) return fallback;
    const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    problems.push(`${name} is "${value}": it takes a whole number from ${least} to ${most}.`);
    return fallback;
  };
  const address = (name: string, protocols: readonly string[]): string | undefined => {
    const value = read(name);
    // Several servers, separated by commas, are no URL by the standard; the first one is.
    const first = protocols === web ? value : value?.split(',')[0];
    if (first === undefined || (URL.canParse(first) && protocols.includes(new URL(first).protocol)))
      return value;
    // The value is not repeated: it may hold a password.
    const kinds = protocols.map((protocol) => `${protocol}//...`).join(' or ');
    problems.push(`${name} is not an address of the right kind (${kinds}).`);
    return undefined;
  };

  const host = read('HOST') ?? '127.0.0.1';
  const port = whole('PORT', 8080, 1, 65_535);
  const settings = {
    host,
    port,
    publicUrl: withoutSlash(address('PUBLIC_URL', web) ?? `http://${publicName(host)}:${port}`),
    searchUrl: withoutSlash(address('SEARCH_URL', web) ?? 'https://search.example'),
    dataDir: resolve(root, read('DATA_DIR') ?? '.data'),
    clockOffsetMs: whole('CLOCK_OFFSET_MS', 0, -furthestMs, furthestMs),
    mongodbUri: address('MONGODB_URI', ['mongodb:', 'mongodb+srv:']),
    natsUrl: address('NATS_URL', ['nats:', 'tls:']),
    tracesUrl: address('OTEL_EXPORTER_OTLP_ENDPOINT', web),
  };
  if (settings.clockOffsetMs !== 0 && environment['NODE_ENV'] === 'production') {
    problems.push('CLOCK_OFFSET_MS moves the clock for trials: it is refused with NODE_ENV=production.');
  }
  const level = read('LOG_LEVEL');
  if (level !== undefined && !logLevels.includes(level)) {
    problems.push(`LOG_LEVEL is "${level}": it takes one of ${logLevels.join(', ')}.`);
  }
  if (problems.length > 0) throw new Problem(problems.join('\n'));
  return settings;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

function publicName(host: string): string {
  const here = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'];
  if (here.includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
