import { randomBytes } from 'node:crypto';
import { serverBinary } from './binaries.ts';
import { serverKind } from './kind.ts';
import { serverParameters, type TestMongo } from './mongod-process.ts';

/** Starts a replica set of one node. Most suites use the shared one, `testMongoUri`. */
export async function startMongo(): Promise<TestMongo> {
  if ((await serverKind()) === 'binaries') return startMongoBinary();
  const { startMongoContainer } = await import('./mongo-container.ts');
  return startMongoContainer();
}

const LAUNCH_TIMEOUT_MS = 60_000;

/** Runs the local mongod on loopback with a small cache. The library ends it when this process dies. */
async function startMongoBinary(): Promise<TestMongo> {
  // Otherwise the library warns that the binary is not its default version.
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] ??= 'false';
  const { MongoMemoryReplSet } = await import('mongodb-memory-server-core');
  const replicaSet = await MongoMemoryReplSet.create({
    binary: { systemBinary: serverBinary('mongod') },
    instanceOpts: [{ launchTimeout: LAUNCH_TIMEOUT_MS }],
    replSet: {
      count: 1,
      name: 'rs0',
      ip: '127.0.0.1',
      storageEngine: 'wiredTiger',
      args: [
        '--quiet',
        '--wiredTigerCacheSizeGB=0.5',
        '--networkMessageCompressors=disabled',
        ...serverParameters,
      ],
    },
  });
  // The library's own URI names a database.
  const port = replicaSet.servers[0]?.instanceInfo?.port;
  return {
    uri: `mongodb://127.0.0.1:${port}/?replicaSet=rs0`,
    stop: async () => void (await replicaSet.stop({ doCleanup: true, force: true })),
  };
}

/**
 * The URI of the replica set that the whole run shares, without a database.
 * @throws Error if jest was started without the project's preset.
 */
export function testMongoUri(): string {
  const uri = process.env['TEST_MONGODB_URI'];
  if (uri === undefined || uri === '') {
    throw new Error('TEST_MONGODB_URI is not set: run jest with the preset of packages/testing.');
  }
  return uri;
}

/** A prefix for the database names of one suite on the shared server. */
export function databasePrefix(): string {
  return `t${randomBytes(5).toString('hex')}_`;
}

/** Drops a database on a new connection: a slow disk may need longer than the time-outs of a service allow. */
export async function dropDatabase(name: string): Promise<void> {
  const { mongo } = await import('mongoose');
  const client = new mongo.MongoClient(testMongoUri());
  try {
    await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}
