import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { accessFrom, type Bus, type BusObserver, BusRefused, connectBus } from '@joblisting/bus';
import type { CommonConfig, MongoConfig } from './config.ts';
import { DatabaseRefused } from './database-errors.ts';
import type { Log } from './log.ts';
import type { Mongo, MongoAccess } from './mongo.ts';

/** How long a start retries, because servers may start later. */
export const START_LIMIT_MS = 30_000;
const RETRY_MS = 300;

/** The error of a server that rejects this service. Its message is a line for the operator. */
export const isRefusal = (error: unknown): error is BusRefused | DatabaseRefused =>
  error instanceof BusRefused || error instanceof DatabaseRefused;

/** Connects to the bus as the configured user. Logs each permission that this user lacks as an error. */
export function connectToBus(
  name: string,
  config: CommonConfig,
  log: Log,
  observer?: BusObserver,
): Promise<Bus> {
  const attempt = () =>
    connectBus({
      url: config.NATS_URL,
      name,
      streamReplicas: config.NATS_STREAM_REPLICAS,
      observer,
      onDenied: (denial) => {
        // Happens after a reconnect. The caller has given up, or soon will.
        if (denial.operation === 'reply') log.warn(denial, 'a reply came too late for the bus');
        else log.error(denial, `the bus denies this user a ${denial.operation}`);
      },
      onListenerError: (err, subject) => log.error({ err, subject }, 'a listener failed'),
      ...accessFrom({ ...config } as unknown as Record<string, string>),
    });
  return eventually(attempt, refusalLogger(log));
}

/** Connects to the service's own database as the configured user. */
export function connectToDatabase(
  name: string,
  config: MongoConfig,
  log: Log,
  options: Pick<MongoAccess, 'socketTimeoutMs'> = {},
): Promise<Mongo> {
  const { MONGODB_USER: user, MONGODB_PASSWORD_FILE: file, MONGODB_TLS_CA_FILE: tlsCaFile } = config;
  const attempt = async () => {
    const { connectMongo } = await import('./mongo.ts');
    return connectMongo(config.MONGODB_URI, config.MONGODB_DATABASE ?? name, {
      ...(user && file && { user, password: readFileSync(file, 'utf8').trimEnd() }),
      tlsCaFile,
      ...options,
    });
  };
  return eventually(attempt, refusalLogger(log));
}

/** Logs the first refusal only, at once. */
function refusalLogger(log: Log): (error: unknown) => void {
  let isLogged = false;
  return (error) => {
    if (isLogged || !isRefusal(error)) return;
    log.error(error.message);
    isLogged = true;
  };
}

/** Retries until it works or the limit is over; then rejects with the last error. */
export async function eventually<T>(
  attempt: () => Promise<T>,
  onFailure: (error: unknown) => void,
  limitMs = START_LIMIT_MS,
): Promise<T> {
  const giveUpAt = Date.now() + limitMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() >= giveUpAt) throw error;
      onFailure(error);
      await delay(RETRY_MS);
    }
  }
}
