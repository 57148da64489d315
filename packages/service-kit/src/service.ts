import type { Bus, CallContext, Endpoint } from '@joblisting/bus';
import { randomUUID } from 'node:crypto';
import {
  type Clock,
  type CommonConfig,
  commonConfig,
  type ConfigSchemas,
  loadConfig,
  type MongoConfig,
  mongoConfig,
  systemClock,
} from './config.ts';
import { connectToBus, connectToDatabase, eventually, START_LIMIT_MS } from './connections.ts';
import { serveHealth } from './health.ts';
import { createLog, type Log } from './log.ts';
import type { Mongo } from './mongo.ts';
import { busTrouble, databaseTrouble } from './readiness.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { Tracing } from './telemetry/tracing.ts';
import { startTelemetry } from './telemetry/telemetry.ts';
import { productVersion } from './version.ts';

/** The dependencies that a service is built from. */
export interface Context<C = unknown> {
  readonly config: CommonConfig & C;
  readonly log: Log;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly metrics: Metrics;
  /** Undefined if no trace is recorded. */
  readonly tracing: Tracing | undefined;
}

export interface MongoContext<C = unknown> extends Context<C> {
  readonly mongo: Mongo;
  /** Opens one more connection, for replies that may take longer, in milliseconds. The caller closes it. */
  readonly connectPatiently: (socketTimeoutMs: number) => Promise<Mongo>;
}

/** A wired service. */
export interface Parts {
  readonly endpoints?: readonly Endpoint[];
  /** Before the endpoints are served: indexes, seeds, streams. Repeated after a failure, so it must be idempotent. */
  readonly start?: () => Promise<void>;
  /** Once the endpoints are served: background work, an HTTP server. */
  readonly started?: () => Promise<void>;
  /** Before the endpoints are drained: closes an HTTP server. Also called if `started` has failed. */
  readonly closing?: () => Promise<void>;
  /** After the endpoints are drained. */
  readonly stop?: () => Promise<void>;
}

interface Described {
  readonly name: string;
  readonly description: string;
  /** The schemas of its own settings; `C` below is their type. */
  readonly config: ConfigSchemas;
}

/** A service that owns collections, or one that owns none. */
export type ServiceDefinition<C> =
  | (Described & { readonly mongo: true; readonly create: (context: MongoContext<C>) => Parts })
  | (Described & { readonly mongo: false; readonly create: (context: Context<C>) => Parts });

export interface StartOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly clock?: Clock;
  readonly log?: Log;
  /** How long `start` is retried; by default 30 s. */
  readonly startLimitMs?: number;
}

export interface RunningService {
  readonly bus: Bus;
  readonly log: Log;
  /** Why it cannot work now; undefined when it can. */
  readonly notReady: () => Promise<string | undefined>;
  /** Takes no more work, finishes what runs, then closes bus and database. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a service in this process: configuration, connections, `start`, endpoints, `started`, health. Rejects with
 * ConfigError or the error of a step, and then closes what it has opened.
 */
export async function startService<C>(
  definition: ServiceDefinition<C>,
  options: StartOptions,
): Promise<RunningService> {
  const { name, description } = definition;
  const schemas: ConfigSchemas = {
    ...commonConfig,
    ...(definition.mongo && mongoConfig),
    ...definition.config,
  };
  const settings: unknown = loadConfig(schemas, options.env);
  const config = settings as CommonConfig & C;
  const common = settings as CommonConfig & MongoConfig;
  const log = options.log ?? createLog(name, common.LOG_LEVEL);
  const clock = options.clock ?? systemClock(common.CLOCK_OFFSET_MS);
  const closers: (() => Promise<unknown>)[] = [];
  let stopping = false;
  const close = async () => {
    stopping = true;
    for (const closer of closers.splice(0).toReversed()) {
      await closer().catch((error: unknown) => log.warn({ err: error }, 'closing failed'));
    }
  };

  try {
    const telemetry = await startTelemetry({
      service: name,
      version: productVersion,
      endpoint: common.OTEL_EXPORTER_OTLP_ENDPOINT,
      ratio: common.OTEL_TRACES_SAMPLER_ARG,
      isScraped: common.HEALTH_PORT > 0,
    });
    closers.push(async () => telemetry.tracing?.stop());
    const bus = await connectToBus(name, common, log, telemetry.observer);
    closers.push(() => bus.close());
    telemetry.watchBus(bus);
    const { metrics, tracing } = telemetry;
    const context = { config, log, clock, bus, metrics, tracing };
    let mongo: Mongo | undefined;
    let parts: Parts;
    if (definition.mongo) {
      mongo = await connectToDatabase(name, common, log);
      closers.push(() => (mongo as Mongo).close());
      telemetry.watchDatabase(mongo);
      const connectPatiently = (socketTimeoutMs: number) =>
        connectToDatabase(name, common, log, { socketTimeoutMs });
      parts = definition.create({ ...context, mongo, connectPatiently });
    } else {
      parts = definition.create(context);
    }
    closers.push(async () => parts.stop?.());
    await prepare(parts, log, options.startLimitMs);
    const served = await bus.serve(parts.endpoints ?? [], {
      name,
      version: productVersion,
      description,
      maxInFlight: common.MAX_IN_FLIGHT,
      maxInFlightBytes: common.MAX_IN_FLIGHT_BYTES,
      onError: (err, operation, request) =>
        log.error({ err, operation: operation.subject, requestId: request?.requestId }, 'a request failed'),
    });
    closers.push(() => served.stop());
    telemetry.watchServed(served, common.MAX_IN_FLIGHT);
    closers.push(async () => parts.closing?.());
    await parts.started?.();

    const notReady = async () => (stopping ? 'stopping' : readiness(bus, mongo));
    if (common.HEALTH_PORT > 0) {
      const at = { host: common.HEALTH_HOST, port: common.HEALTH_PORT };
      const health = await serveHealth(at, notReady, metrics.registry);
      closers.unshift(() => health.close());
    }
    log.info('ready');
    return { bus, log, notReady, stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Retries, because building an index may take longer than the socket's time-out of 2 s. */
async function prepare({ start }: Parts, log: Log, limitMs = START_LIMIT_MS): Promise<void> {
  if (!start) return;
  let isLogged = false;
  await eventually(
    start,
    (err) => {
      if (!isLogged) log.warn({ err }, 'could not prepare to serve; it will be tried again');
      isLogged = true;
    },
    limitMs,
  );
}

async function readiness(bus: Bus, mongo: Mongo | undefined): Promise<string | undefined> {
  const [ofBus, ofDatabase] = await Promise.all([busTrouble(bus), mongo && databaseTrouble(mongo)]);
  return ofBus ?? ofDatabase;
}

/** The context of a call from background work. */
export function ownCall(limitMs: number): CallContext {
  return { requestId: randomUUID(), deadline: Date.now() + limitMs };
}

/** The same context with a deadline at most `limitMs` away. */
export const withDeadline = (context: CallContext, limitMs: number): CallContext => ({
  ...context,
  deadline: Math.min(context.deadline, Date.now() + limitMs),
});
