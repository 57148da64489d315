import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { accessFrom, type Bus, type BusObserver, BusRefused, connectBus } from '@joblisting/bus';
import type { CommonConfig, MongoConfig } from './config.ts';
import type { Log } from './log.ts';
import { connectMongo, DatabaseRefused, type Mongo } from './mongo.ts';

/** How long a start tries what needs servers: at a common start they may come up later, or be slow. */
export const START_LIMIT_MS = 30_000;
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
  const attempt = () =>
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
    });
  return eventually(attempt, refusalTold(log));
}

/** The service's own database, as the user that the settings name. */
export function connectToDatabase(
  name: string,
  config: MongoConfig,
  log: Log,
  monitorCommands = false,
): Promise<Mongo> {
  const { MONGODB_USER: user, MONGODB_PASSWORD_FILE: file, MONGODB_TLS_CA_FILE: tlsCaFile } = config;
  const attempt = () =>
    connectMongo(config.MONGODB_URI, config.MONGODB_DATABASE ?? name, {
      ...(user && file && { user, password: readFileSync(file, 'utf8').trimEnd() }),
      tlsCaFile,
      monitorCommands,
    });
  return eventually(attempt, refusalTold(log));
}

/** That a server refuses this service is told at once, once. */
function refusalTold(log: Log): (error: unknown) => void {
  let isTold = false;
  return (error) => {
    if (isTold || !isRefusal(error)) return;
    log.error(error.message);
    isTold = true;
  };
}

/** Tries until it works or the limit is over: then it rejects as the last attempt did. */
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
