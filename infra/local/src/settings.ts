import { resolve } from 'node:path';
import { Problem } from '../bootstrap/terminal.mjs';
import { root } from '../bootstrap/paths.mjs';

/** Settings of `npm start`, read from the environment. */
export type Settings = {
  /** Where the gateway listens. */
  readonly host: string;
  readonly port: number;
  /** Where the job-search site listens: ten above `port` by default. */
  readonly sitePort: number;
  /** How clients reach the gateway, without a slash at the end. */
  readonly publicUrl: string;
  /** The public job search that short links lead to, without a slash at the end: the site here by default. */
  readonly searchUrl: string;
  readonly dataDir: string;
  /** Moves the clock of every service, in milliseconds. */
  readonly clockOffsetMs: number;
  /** External servers. Undefined: start them here. */
  readonly mongodbUri: string | undefined;
  readonly natsUrl: string | undefined;
  /** OTLP receiver. Undefined: no traces. */
  readonly tracesUrl: string | undefined;
  /** Where copies of applications go: to files in the data directory, to the server of SMTP_URL, or nowhere. */
  readonly mail: 'files' | 'server' | 'off';
};

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
/** A JavaScript date ends 8.64e15 ms from 1970. */
const maxOffsetMs = 8e15;
const web = ['http:', 'https:'];

/**
 * Reads the settings. An empty variable counts as absent.
 * @throws Problem with one line for each wrong variable.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const problems: string[] = [];
  const read = (name: string): string | undefined => environment[name] || undefined;

  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = read(name);
    if (value === undefined) return fallback;
    const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    problems.push(`${name} is "${value}": expected a whole number from ${min} to ${max}.`);
    return fallback;
  };
  const address = (name: string, protocols: readonly string[]): string | undefined => {
    const value = read(name);
    // A comma-separated list of servers is not a URL, but its first part is.
    const first = protocols === web ? value : value?.split(',')[0];
    if (first === undefined || (URL.canParse(first) && protocols.includes(new URL(first).protocol)))
      return value;
    // Do not repeat the value: it may contain a password.
    const kinds = protocols.map((protocol) => `${protocol}//...`).join(' or ');
    problems.push(`${name} is not a valid address: expected ${kinds}.`);
    return undefined;
  };

  const host = read('HOST') ?? '127.0.0.1';
  const port = integer('PORT', 8080, 1, 65_535);
  const sitePort = integer('SITE_PORT', port + 10, 1, 65_535);
  const settings = {
    host,
    port,
    sitePort,
    publicUrl: withoutSlash(address('PUBLIC_URL', web) ?? `http://${publicName(host)}:${port}`),
    searchUrl: withoutSlash(address('SEARCH_URL', web) ?? `http://${publicName(host)}:${sitePort}`),
    dataDir: resolve(root, read('DATA_DIR') ?? '.data'),
    clockOffsetMs: integer('CLOCK_OFFSET_MS', 0, -maxOffsetMs, maxOffsetMs),
    mongodbUri: address('MONGODB_URI', ['mongodb:', 'mongodb+srv:']),
    natsUrl: address('NATS_URL', ['nats:', 'tls:']),
    tracesUrl: address('OTEL_EXPORTER_OTLP_ENDPOINT', web),
    mail: mailOf(read('MAIL'), read('SMTP_URL')),
  };
  if (settings.clockOffsetMs !== 0 && environment['NODE_ENV'] === 'production') {
    problems.push('CLOCK_OFFSET_MS is for trials and not allowed with NODE_ENV=production.');
  }
  const level = read('LOG_LEVEL');
  if (level !== undefined && !logLevels.includes(level)) {
    problems.push(`LOG_LEVEL is "${level}": expected one of ${logLevels.join(', ')}.`);
  }
  if (problems.length > 0) throw new Problem(problems.join('\n'));
  return settings;
}

/** Login shells set MAIL to the path of a mailbox. */
function mailOf(mail: string | undefined, smtpUrl: string | undefined): Settings['mail'] {
  if (mail === 'off') return 'off';
  return smtpUrl === undefined ? 'files' : 'server';
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

function publicName(host: string): string {
  const here = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'];
  if (here.includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
