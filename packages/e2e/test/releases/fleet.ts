import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databasePrefix, freePort, startNats, testMongoUri, waitFor } from '@joblisting/testing';
import { type ServiceName, serviceNames } from '@joblisting/contracts/permissions';
import {
  serviceEnvironment,
  type ServiceProcess,
  startProcess,
  type SystemAddress,
} from '@joblisting/testing/system';
import { repository } from './sources.ts';

export type Release = 'released' | 'current';

/** A running system whose services come from two releases. */
export interface Fleet extends SystemAddress {
  /**
   * Runs these services from the release and the rest from the other one. Data and messages stay. A service that the
   * last release does not have is always current.
   */
  readonly deploy: (release: Release, names?: readonly ServiceName[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface RunningService {
  readonly release: Release;
  readonly process: ServiceProcess;
}

const settings = {
  // Services start often, and both releases load mostly the same libraries.
  NODE_COMPILE_CACHE: join(repository, '.cache', 'compile'),
  // Services that start at once answer slowly.
  REQUEST_TIMEOUT_MS: '20000',
};

const other: Readonly<Record<Release, Release>> = { released: 'current', current: 'released' };

/** Starts NATS for a system. `deploy` starts its services. */
export async function startFleet(roots: Readonly<Record<Release, string>>): Promise<Fleet> {
  const nats = await startNats();
  const prefix = databasePrefix();
  const origin = `http://127.0.0.1:${await freePort()}`;
  const surroundings = { natsUrl: nats.url, mongodbUri: testMongoUri(), databasePrefix: prefix, origin };
  const running = new Map<ServiceName, RunningService>();
  const isNew = (name: ServiceName) => !existsSync(join(roots.released, 'services', name));

  const deployService = async (name: ServiceName, release: Release) => {
    const previous = running.get(name);
    if (previous?.release === release) return;
    await previous?.process.stop();
    const env = { ...settings, ...serviceEnvironment(name, surroundings) };
    const start = () => startProcess(name, env, { root: roots[release] });
    // Retries as an orchestrator would: 1.0.0 exits if the disk is slow at its start.
    const startWithRetries = () =>
      waitFor(start, { what: `${name} of the last release to start`, limitMs: 30_000 });
    const process = await (release === 'released' ? startWithRetries() : start());
    running.set(name, { release, process });
  };

  return {
    origin,
    natsUrl: nats.url,
    deploy: async (release, names = serviceNames) => {
      const releaseOf = (name: ServiceName) => {
        if (isNew(name)) return 'current';
        return names.includes(name) ? release : other[release];
      };
      await Promise.all(serviceNames.map((name) => deployService(name, releaseOf(name))));
    },
    stop: async () => {
      await Promise.all([...running.values()].map(({ process }) => process.stop()));
      await nats.stop();
    },
  };
}
