import { createFleet, type Fleet, serviceNames } from '@joblisting/testing/system';
import type { Group } from '../measure/processes.ts';
import type { Baseline } from './baseline.ts';
import type { Servers } from './servers.ts';

/** The built product with the settings of production. */
export interface Product extends Fleet {
  readonly origin: string;
  readonly databasePrefix: string;
}

/** In production the services reject a moved clock. */
export const MOVED_CLOCK = { NODE_ENV: 'benchmark' };

/** Prepares a product; `start` launches its services. */
export async function createProduct(servers: Servers, databasePrefix: string): Promise<Product> {
  const { nats, mongod, traces, directory } = servers;
  const shared = { natsUrl: nats.url, mongodbUri: mongod.uri, databasePrefix };
  const fleet = await createFleet(shared, {
    isBuilt: true,
    logDirectory: directory,
    env: {
      NODE_ENV: 'production',
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      OTEL_TRACES_SAMPLER_ARG: '0.01',
      DRAIN_MS: '0',
      MAIL: 'off',
      WEBHOOK_ALLOWED_NETWORKS: 'loopback',
    },
  });
  return { ...fleet, origin: fleet.origins[0] as string, databasePrefix };
}

const pidsOf = (processes: readonly { readonly pid: () => number | undefined }[]): number[] =>
  processes.flatMap(({ pid }) => pid() ?? []);

/** All processes of a run: services, servers, the baseline, and this one as the load. */
export const groupsOf = (servers: Servers, product: Product, baseline?: Baseline): Group[] => [
  ...serviceNames.map((name) => ({ name, pids: () => pidsOf(product.replicas(name)) })),
  ...Object.entries(servers.pids).map(([name, pid]) => ({ name, pids: () => [pid] })),
  ...groupsOfBaseline(baseline),
  { name: 'load', pids: () => [process.pid] },
];

export const groupsOfBaseline = (baseline: Baseline | undefined): Group[] =>
  (baseline?.processes ?? []).map((one) => ({ name: one.name, pids: () => pidsOf([one]) }));
