import { join } from 'node:path';
import { serviceEnvironment, type ServiceName, serviceNames } from '@joblisting/e2e/harness';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '@joblisting/service-kit/node-flags';
import { freePort } from '@joblisting/testing';
import { type Inspected, inspectableFlags } from '../profile/inspector.ts';
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
  /** Its processes that can be profiled: none, unless it is inspectable. */
  readonly inspected: (name: ServiceName) => Inspected[];
  readonly start: (names: readonly ServiceName[], options?: StartOptions) => Promise<RunningProcess[]>;
  readonly stop: (names?: readonly ServiceName[]) => Promise<void>;
}

interface Service extends RunningProcess {
  readonly inspected: readonly Inspected[];
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

/** Nothing runs yet: `start` says what. @param options whether its processes can be profiled */
export async function createProduct(
  servers: Servers,
  databasePrefix: string,
  { inspectable = false }: { readonly inspectable?: boolean } = {},
): Promise<Product> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const running = new Map<ServiceName, Service[]>(serviceNames.map((name) => [name, []]));

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

  const launchService = async (name: ServiceName, options: StartOptions): Promise<Service> => {
    const program = await programOf(name, options);
    if (!inspectable) return { ...(await launch(program)), inspected: [] };
    const port = await freePort();
    const started = await launch({ ...program, args: [...inspectableFlags(port), ...program.args] });
    return { ...started, inspected: [{ pid: started.pid, port }] };
  };

  return {
    origin,
    databasePrefix,
    pids: (name) => (running.get(name) ?? []).map(({ pid }) => pid),
    inspected: (name) => (running.get(name) ?? []).flatMap(({ inspected }) => inspected),
    start: async (names, options = {}) => {
      const wanted = names.flatMap((name) => Array<ServiceName>(options.replicas ?? 1).fill(name));
      const outcomes = await Promise.allSettled(
        wanted.map(async (name) => {
          const started = await persistently(() => launchService(name, options));
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
