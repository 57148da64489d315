import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  databasePrefix,
  type MongoSet,
  type NatsCluster,
  startMongoSet,
  startNatsCluster,
} from '@joblisting/testing';
import { type Fleet, type FleetOptions, serviceNames } from '@joblisting/testing/system';
import type { Run } from '../experiment.ts';
import { type Shared, startFleet } from './servers.ts';

/** Three servers of each kind, and two processes of each service. */
export interface Cluster extends Shared {
  readonly mongod: MongoSet;
  readonly nats: NatsCluster;
}

/** The runbook's settings: an election after 2 seconds instead of 10. */
const REPLICA_SET = { electionTimeoutMillis: 2000, heartbeatTimeoutSecs: 2 };

/** All at once, 14 processes would slow each other down until they are not ready in time. */
const twoOfEach: FleetOptions = {
  replicas: Object.fromEntries(serviceNames.map((name) => [name, 2])),
  env: { NATS_STREAM_REPLICAS: '3' },
  atOnce: 4,
};

/** Starts a cluster for the work, and stops it afterwards. */
export async function withCluster<T>(
  { say }: Pick<Run, 'say'>,
  work: (cluster: Cluster, fleet: Fleet) => Promise<T>,
): Promise<T> {
  const compileCache = await mkdtemp(join(tmpdir(), 'chaos-modules-'));
  const closers = [() => rm(compileCache, { recursive: true, force: true })];
  const closeLater = <S extends { stop: () => Promise<void> }>(started: S): S => {
    closers.push(started.stop);
    return started;
  };
  try {
    const [mongod, nats] = await Promise.all([
      startMongoSet(REPLICA_SET).then(closeLater),
      startNatsCluster().then(closeLater),
    ]);
    await nats.untilHealthy();
    say('three servers of each kind run');
    const cluster = { mongod, nats, databasePrefix: databasePrefix(), compileCache };
    const fleet = closeLater(await startFleet(cluster, twoOfEach, say));
    say('two processes of each service run');
    return await work(cluster, fleet);
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}
