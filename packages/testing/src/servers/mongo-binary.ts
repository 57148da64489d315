import { serverBinary } from './binaries.ts';
import { serverParameters, type TestMongo } from './test-mongo.ts';

const launchTimeoutMs = 60_000;

/** Runs the local mongod on loopback with a small cache; a watcher process ends it if this one dies. */
export async function startMongoBinary(): Promise<TestMongo> {
  // The library only warns that the binary is not its own default version.
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] ??= 'false';
  const { MongoMemoryReplSet } = await import('mongodb-memory-server-core');
  const replicaSet = await MongoMemoryReplSet.create({
    binary: { systemBinary: serverBinary('mongod') },
    instanceOpts: [{ launchTimeout: launchTimeoutMs }],
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
