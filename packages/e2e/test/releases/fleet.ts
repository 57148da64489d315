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

export type Release = 'last' | 'today';

/** A running system in which each service is of the one release or of the other. */
export interface Fleet extends SystemAddress {
  /** Brings services to the release that is named for them, the rest to the other one. Data and messages stay. */
  readonly bring: (release: Release, only?: readonly ServiceName[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Running {
  readonly release: Release;
  readonly process: ServiceProcess;
}

const settings = {
  // Both releases load much the same libraries, again and again.
  NODE_COMPILE_CACHE: join(repository, '.cache', 'compile'),
  // A machine that starts seven processes at once answers later than a client would wait.
  REQUEST_TIMEOUT_MS: '20000',
};

const other: Readonly<Record<Release, Release>> = { last: 'today', today: 'last' };

/** Starts the servers of a system; its services come with `bring`. */
export async function startFleet(roots: Readonly<Record<Release, string>>): Promise<Fleet> {
  const nats = await startNats();
  const prefix = databasePrefix();
  const origin = `http://127.0.0.1:${await freePort()}`;
  const surroundings = { natsUrl: nats.url, mongodbUri: testMongoUri(), databasePrefix: prefix, origin };
  const running = new Map<ServiceName, Running>();

  const exchange = async (name: ServiceName, release: Release) => {
    const now = running.get(name);
    if (now?.release === release) return;
    await now?.process.stop();
    const env = { ...settings, ...serviceEnvironment(name, surroundings) };
    const start = () => startProcess(name, env, { root: roots[release] });
    // As an orchestrator would: where the disk is slow, 1.0.0 gives up at once what a start has to make.
    const startAgain = () => waitFor(start, { what: `${name} of 1.0.0 to stay`, limitMs: 30_000 });
    const process = await (release === 'last' ? startAgain() : start());
    running.set(name, { release, process });
  };

  return {
    origin,
    natsUrl: nats.url,
    bring: async (release, only = serviceNames) => {
      const releaseOf = (name: ServiceName) => (only.includes(name) ? release : other[release]);
      await Promise.all(serviceNames.map((name) => exchange(name, releaseOf(name))));
    },
    stop: async () => {
      await Promise.all([...running.values()].map(({ process }) => process.stop()));
      await nats.stop();
    },
  };
}
