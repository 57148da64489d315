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
};

/**
 * Reads the settings; an empty variable counts as absent.
 * @throws Problem that names the variable and what it takes.
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const read = (name: string): string | undefined => environment[name] || undefined;
  const host = read('HOST') ?? '127.0.0.1';
  const port = whole('PORT', read('PORT') ?? '8080', 1, 65_535);
  const clockOffsetMs = whole(
    'CLOCK_OFFSET_MS',
    read('CLOCK_OFFSET_MS') ?? '0',
    Number.MIN_SAFE_INTEGER,
    Number.MAX_SAFE_INTEGER,
  );
  if (clockOffsetMs !== 0 && environment['NODE_ENV'] === 'production') {
    throw new Problem('CLOCK_OFFSET_MS moves the clock for trials: it is refused with NODE_ENV=production.');
  }
  return {
    host,
    port,
    publicUrl: address('PUBLIC_URL', read('PUBLIC_URL') ?? `http://${publicName(host)}:${port}`, [
      'http:',
      'https:',
    ]),
    searchUrl: address('SEARCH_URL', read('SEARCH_URL') ?? 'https://search.example', ['http:', 'https:']),
    dataDir: resolve(root, read('DATA_DIR') ?? '.data'),
    clockOffsetMs,
    mongodbUri: optional('MONGODB_URI', read('MONGODB_URI'), ['mongodb:', 'mongodb+srv:']),
    natsUrl: optional('NATS_URL', read('NATS_URL'), ['nats:', 'tls:']),
  };
}

function whole(name: string, value: string, least: number, most: number): number {
  const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  const range = name === 'PORT' ? ` from ${least} to ${most}` : '';
  throw new Problem(`${name} is "${value}": it takes a whole number${range}.`);
}

function optional(name: string, value: string | undefined, protocols: readonly string[]): string | undefined {
  if (value === undefined) return undefined;
  // Several servers, separated by commas, are no URL by the standard; the first one is.
  address(name, value.split(',')[0] ?? value, protocols);
  return value;
}

function address(name: string, value: string, protocols: readonly string[]): string {
  if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, '');
  // The value is not repeated: it may hold a password.
  const kinds = protocols.map((protocol) => `${protocol}//...`).join(' or ');
  throw new Problem(`${name} is not an address of the right kind (${kinds}).`);
}

function publicName(host: string): string {
  const here = ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost'];
  if (here.includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
