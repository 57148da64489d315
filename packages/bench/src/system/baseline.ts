import { join } from 'node:path';
import { freePort } from '@joblisting/testing';
import { launch, type RunningProcess } from './process.ts';
import type { Servers } from './servers.ts';

/** A baseline that runs: each of its processes by name. */
export interface Baseline {
  readonly origin: string;
  readonly processes: readonly RunningProcess[];
  readonly stop: () => Promise<void>;
}

const here = new URL('../baseline/', import.meta.url).pathname;

async function start(servers: Servers, name: string, env: Record<string, string>, readyUrl: string) {
  return launch({
    name,
    args: ['--conditions=@joblisting/source', join(here, `${name}.ts`)],
    env: { NODE_ENV: 'production', ...env },
    logFile: join(servers.directory, `${name}.log`),
    readyUrl,
  });
}

/** Starts the plain bus on a database of its own, filled by the seed. */
export async function startPlainBus(servers: Servers, databaseName: string): Promise<Baseline> {
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    NATS_URL: servers.nats.url,
    MONGODB_URI: servers.mongod.uri,
    MONGODB_DATABASE: databaseName,
    SUBJECTS: databaseName,
    PORT: port,
  };
  // The service is ready when the gateway reaches it.
  const processes = await Promise.all(
    ['plain-service', 'plain-gateway'].map((name) => start(servers, name, env, `${origin}/readyz`)),
  );
  return { origin, processes, stop: () => stopAll(processes) };
}

/** Starts the constant server with these answers. @param answersFile JSON, `[path, body][]` */
export async function startConstant(servers: Servers, answersFile: string): Promise<Baseline> {
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const env = { PORT: port, ANSWERS: answersFile };
  const processes = [await start(servers, 'constant', env, `${origin}/`)];
  return { origin, processes, stop: () => stopAll(processes) };
}

async function stopAll(processes: readonly RunningProcess[]): Promise<void> {
  await Promise.all(processes.map((process) => process.stop()));
}
