import { engine, images } from './docker.ts';
import { guardContainer } from './guard.ts';
import { serverParameters, type TestMongo } from './mongod-process.ts';
import { waitFor } from '../wait-for.ts';

/** Runs the MongoDB image as a replica set of one node. */
export async function startMongoContainer(): Promise<TestMongo> {
  const { GenericContainer, Wait } = await engine();
  const guard = guardContainer();
  const started = await new GenericContainer(images.mongo)
    .withLabels(guard.labels)
    // The image's entrypoint binds to every address of the container.
    .withCommand(['mongod', '--replSet', 'rs0', ...serverParameters])
    .withExposedPorts(27017)
    .withWaitStrategy(Wait.forLogMessage(/[Ww]aiting for connections/))
    .start();
  // The replica set has the port inside the container, so clients must connect directly.
  const uri = `mongodb://127.0.0.1:${started.getMappedPort(27017)}/?directConnection=true`;
  await initiate(uri);
  return {
    uri,
    stop: async () => {
      await started.stop({ remove: true, timeout: 0 });
      guard.close();
    },
  };
}

async function initiate(uri: string): Promise<void> {
  const { mongo } = await import('mongoose');
  const client = await mongo.MongoClient.connect(uri);
  try {
    const admin = client.db('admin');
    await admin.command({
      replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: '127.0.0.1:27017' }] },
    });
    await waitFor(async () => (await admin.command({ hello: 1 }))['isWritablePrimary'] === true, {
      limitMs: 30_000,
      what: 'the MongoDB container to become primary',
    });
  } finally {
    await client.close();
  }
}
