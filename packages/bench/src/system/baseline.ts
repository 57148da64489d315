import { join } from 'node:path';
import { freePort } from '@joblisting/testing';
import { launch, type RunningProcess } from '@joblisting/testing/system';
import type { Servers } from './servers.ts';

/** A running baseline. */
export interface Baseline {
  readonly origin: string;
  readonly processes: readonly RunningProcess[];
  readonly stop: () => Promise<void>;
}

const here = new URL('../baseline/', import.meta.url).pathname;

async function start(
  { directory }: Servers,
  names: readonly string[],
  { readyPath, env }: { readonly readyPath: string; readonly env: Readonly<Record<string, string>> },
): Promise<Baseline> {
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const processes = await Promise.all(
    names.map((name) =>
      launch({
        name,
        args: ['--conditions=@joblisting/source', join(here, `${name}.ts`)],
        env: { NODE_ENV: 'production', PORT: port, ...env },
        readyUrl: origin + readyPath,
        log: join(directory, `${name}.log`),
      }),
    ),
  );
  const stop = async (): Promise<void> => {
    await Promise.all(processes.map((process) => process.stop()));
  };
  return { origin, processes, stop };
}

/** Starts the plain bus on its seeded database. */
export const startPlainBus = (servers: Servers, databaseName: string): Promise<Baseline> =>
  // The gateway is ready when it reaches the service.
  start(servers, ['plain-service', 'plain-gateway'], {
    readyPath: '/readyz',
    env: {
      NATS_URL: servers.nats.url,
      MONGODB_URI: servers.mongod.uri,
      MONGODB_DATABASE: databaseName,
      SUBJECTS: databaseName,
    },
  });

/** Starts the plain upload, which stores applications in this database. */
export const startPlainUpload = (servers: Servers, databaseName: string): Promise<Baseline> =>
  start(servers, ['plain-upload'], {
    readyPath: '/readyz',
    env: { MONGODB_URI: servers.mongod.uri, MONGODB_DATABASE: databaseName },
  });

/** Starts the constant server with these answers. @param answersFile JSON, `[path, body][]` */
export const startConstant = (servers: Servers, answersFile: string): Promise<Baseline> =>
  start(servers, ['constant'], { readyPath: '/', env: { ANSWERS: answersFile } });
