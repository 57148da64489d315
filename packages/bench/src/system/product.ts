import { join } from 'node:path';
import { serviceEnvironment, type ServiceName, serviceNames } from '@joblisting/e2e/harness';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '@joblisting/service-kit/node-flags';
import { freePort } from '@joblisting/testing';
import type { Group } from '../measure/processes.ts';
import type { Baseline } from './baseline.ts';
import { launch, type Program, type RunningProcess } from './process.ts';
import type { Servers } from './servers.ts';

const repository = new URL('../../../..', import.meta.url).pathname;

export interface StartOptions {
  readonly replicas?: number;
  /** Moves the clock, which production refuses. */
  readonly clockOffsetMs?: number;
}

/** The product, built, each process as in production. */
export interface Product {
  readonly origin: string;
  readonly databasePrefix: string;
  readonly pids: (name: ServiceName) => number[];
  readonly start: (names: readonly ServiceName[], options?: StartOptions) => Promise<RunningProcess[]>;
  readonly stop: (names?: readonly ServiceName[]) => Promise<void>;
}

const TRIES = 3;

/** As a supervisor does: a service that ends because its database is too slow is started again. */
async function persistently<T>(start: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      if (attempt === TRIES) throw error;
    }
  }
}

/** Prepares a product; `start` launches its services. */
export async function createProduct(servers: Servers, databasePrefix: string): Promise<Product> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const running = new Map<ServiceName, RunningProcess[]>(serviceNames.map((name) => [name, []]));

  const programOf = async (name: ServiceName, options: StartOptions): Promise<Program> => {
    const { clockOffsetMs = 0 } = options;
    const healthPort = await freePort();
    const surroundings = {
      natsUrl: servers.nats.url,
      mongodbUri: servers.mongod.uri,
      databasePrefix,
      origin,
      clockOffsetMs,
    };
    return {
      name,
      args: [...NODE_FLAGS, join(repository, 'services', name, 'dist', 'main.js')],
      env: {
        ...NODE_ENVIRONMENT,
        NODE_ENV: clockOffsetMs === 0 ? 'production' : 'benchmark',
        LOG_LEVEL: 'info',
        HEALTH_PORT: String(healthPort),
        OTEL_EXPORTER_OTLP_ENDPOINT: servers.traces.url,
        OTEL_TRACES_SAMPLER_ARG: '0.01',
        DRAIN_MS: '0',
        ...serviceEnvironment(name, surroundings),
      },
      logFile: join(servers.directory, `${name}.log`),
      readyUrl: `${name === 'gateway' ? origin : `http://127.0.0.1:${healthPort}`}/readyz`,
    };
  };

  return {
    origin,
    databasePrefix,
    pids: (name) => (running.get(name) ?? []).map(({ pid }) => pid),
    start: async (names, options = {}) => {
      const wanted = names.flatMap((name) => Array<ServiceName>(options.replicas ?? 1).fill(name));
      const outcomes = await Promise.allSettled(
        wanted.map(async (name) => {
          const started = await persistently(async () => launch(await programOf(name, options)));
          running.get(name)?.push(started);
          return started;
        }),
      );
      return outcomes.map((outcome) => {
        if (outcome.status === 'rejected') throw outcome.reason;
        return outcome.value;
      });
    },
    stop: async (names = serviceNames) => {
      const leaving = names.flatMap((name) => running.get(name) ?? []);
      for (const name of names) running.set(name, []);
      await Promise.all(leaving.map((service) => service.stop()));
    },
  };
}

/** Every process of a run: services, servers, the baseline, and this one, which is the load. */
export const groupsOf = (servers: Servers, product: Product, baseline?: Baseline): Group[] => [
  ...serviceNames.map((name) => ({ name, pids: () => product.pids(name) })),
  ...Object.entries(servers.pids).map(([name, pid]) => ({ name, pids: () => [pid] })),
  ...(baseline?.processes ?? []).map(({ name, pid }) => ({ name, pids: () => [pid] })),
  { name: 'load', pids: () => [process.pid] },
];
