import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { accessFrom, type Bus, type BusObserver, BusRefused, connectBus } from '@joblisting/bus';
import type { CommonConfig, MongoConfig } from './config.ts';
import type { Log } from './log.ts';
import { connectMongo, DatabaseRefused, type Mongo } from './mongo.ts';

const CONNECT_LIMIT_MS = 30_000;
const RETRY_MS = 300;

/** A server that is there and lets this service not in: its message is a line for whoever runs it. */
export const isRefusal = (error: unknown): error is BusRefused | DatabaseRefused =>
  error instanceof BusRefused || error instanceof DatabaseRefused;

/** The bus, as the user that the settings name. What this user may not do is logged as an error. */
export function connectToBus(
  name: string,
  config: CommonConfig,
  log: Log,
  observer?: BusObserver,
): Promise<Bus> {
  return eventually(log, () =>
    connectBus({
      url: config.NATS_URL,
      name,
      streamReplicas: config.NATS_STREAM_REPLICAS,
      observer,
      onDenied: (denial) => {
        // After a loss of the connection: who asked has given up, or soon will.
        if (denial.operation === 'reply') log.warn(denial, 'a reply came too late for the bus');
        else log.error(denial, `the bus denies this user a ${denial.operation}`);
      },
      ...accessFrom({ ...config } as unknown as Record<string, string>),
    }),
  );
}

/** The service's own database, as the user that the settings name. */
export function connectToDatabase(name: string, config: MongoConfig, log: Log): Promise<Mongo> {
  const { MONGODB_USER: user, MONGODB_PASSWORD_FILE: file, MONGODB_TLS_CA_FILE: tlsCaFile } = config;
  return eventually(log, () =>
    connectMongo(config.MONGODB_URI, config.MONGODB_DATABASE ?? name, {
      ...(user && file && { user, password: readFileSync(file, 'utf8').trimEnd() }),
      tlsCaFile,
    }),
  );
}

/**
 * Tries until it works or the limit is over: at a common start the servers may come up later. That one refuses this
 * service is told at once, once.
 */
async function eventually<T>(log: Log, attempt: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + CONNECT_LIMIT_MS;
  let isTold = false;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() >= giveUpAt) throw error;
      if (isRefusal(error) && !isTold) {
        log.error(error.message);
        isTold = true;
      }
      await delay(RETRY_MS);
    }
  }
}
