import { IN_FLIGHT_BYTES } from '@joblisting/bus';
import { Ajv } from 'ajv';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { accessProblems, busAccessConfig, mongoAccessConfig } from './access-config.ts';

/** Every problem of the configuration. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const [only] = problems;
    const list = problems.length === 1 ? ` ${only}` : problems.map((problem) => `\n  - ${problem}`).join('');
    super(`The configuration is wrong:${list}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** What every service reads from the environment. */
export const commonConfig = {
  NODE_ENV: Type.String({
    default: 'development',
    description: '`production` refuses settings that are only for tests.',
  }),
  LOG_LEVEL: Type.Unsafe<string>({
    type: 'string',
    enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    description: 'Lowest level that is logged.',
  }),
  NATS_URL: Type.String({ default: 'nats://127.0.0.1:4222', description: 'NATS servers, comma-separated.' }),
  ...busAccessConfig,
  NATS_STREAM_REPLICAS: Type.Optional(
    Type.Unsafe<number>({
      type: 'integer',
      enum: [1, 3, 5],
      description:
        'Servers of the cluster that keep each stream and its consumers. Default: what a stream has; a new one has 1.',
    }),
  ),
  CLOCK_OFFSET_MS: Type.Integer({
    default: 0,
    description: 'Moves the clock. Not with NODE_ENV=production.',
  }),
  HEALTH_HOST: Type.String({
    default: '127.0.0.1',
    description: 'Where /healthz, /readyz and /metrics listen.',
  }),
  HEALTH_PORT: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 65_535,
    description: 'Port of /healthz, /readyz and /metrics; 0: none.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s?#]+$',
      description: 'Where traces are sent by OTLP over HTTP, without /v1/traces; none: no trace is recorded.',
    }),
  ),
  OTEL_TRACES_SAMPLER_ARG: Type.Number({
    default: 0.01,
    minimum: 0,
    maximum: 1,
    description: 'The part of the requests whose traces are recorded. Services behind the gateway follow it.',
  }),
  MAX_IN_FLIGHT: Type.Integer({
    default: 128,
    minimum: 1,
    description: 'Maximum concurrent requests; excess gets 503.',
  }),
  MAX_IN_FLIGHT_BYTES: Type.Integer({
    default: IN_FLIGHT_BYTES,
    minimum: 1,
    description:
      'Maximum bytes of bodies and unsent large replies in a service behind the bus; excess gets 503.',
  }),
} as const;

/** What a service with a database reads as well. */
export const mongoConfig = {
  MONGODB_URI: Type.String({
    default: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
    pattern: '^mongodb(\\+srv)?://',
    description: 'The replica set, without a database.',
  }),
  MONGODB_DATABASE: Type.Optional(
    Type.String({ minLength: 1, description: 'Default: the name of the service.' }),
  ),
  ...mongoAccessConfig,
} as const;

export type CommonConfig = Static<TObject<typeof commonConfig>>;
export type MongoConfig = Static<TObject<typeof mongoConfig>>;

/** Schemas of settings by the name of their environment variable. Each is required or has a default. */
export type ConfigSchemas = Readonly<Record<string, TSchema>>;

/** The settings of these schemas: a plain mapping, which the compiler resolves far faster than an object schema. */
export type ConfigOf<P extends ConfigSchemas> = { readonly [Name in keyof P]: Static<P[Name]> };

const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, strict: false });

/**
 * Reads and checks the settings that the schema names. An empty variable counts as absent.
 * Throws ConfigError with every problem at once; values are never repeated, they may be secrets.
 */
export function loadConfig<P extends ConfigSchemas>(properties: P, env: NodeJS.ProcessEnv): ConfigOf<P> {
  const schema = Type.Object({ ...properties });
  const settings: Record<string, unknown> = {};
  for (const name of Object.keys(properties)) {
    if (env[name] !== undefined && env[name] !== '') settings[name] = env[name];
  }
  const validate = ajv.compile(schema);
  const problems = validate(settings)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message, keyword, params }) => {
        const name = instancePath.slice(1) || String(params['missingProperty'] ?? '');
        if (keyword === 'required') return `${name} is required`;
        return `${name} ${message}${keyword === 'enum' ? `: ${String(params['allowedValues'])}` : ''}`;
      });
  // ajv coerces the word Infinity to a number, and takes that for an integer.
  for (const [name, value] of Object.entries(settings)) {
    if (value === Infinity || value === -Infinity) problems.push(`${name} must be finite`);
  }
  if (settings['NODE_ENV'] === 'production' && settings['CLOCK_OFFSET_MS'] !== 0) {
    problems.push('CLOCK_OFFSET_MS must not be set with NODE_ENV=production');
  }
  problems.push(...accessProblems(settings));
  if (problems.length > 0) throw new ConfigError(problems);
  return settings as ConfigOf<P>;
}

/**
 * The service's present time, in epoch milliseconds. Business rules take it as an argument; deadlines do not use it.
 */
export interface Clock {
  readonly now: () => number;
}

/** The machine's clock, moved by `CLOCK_OFFSET_MS` so that noon and midnight can be tested. */
export function systemClock(offsetMs = 0): Clock {
  return { now: () => Date.now() + offsetMs };
}
