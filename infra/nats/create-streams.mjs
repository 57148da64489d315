// Makes the streams, and brings existing ones to the limits of packages/contracts. Safe to run again; services do not
// start without their streams, and may not make them themselves.
//
// NATS_URL, and how to get in as user `setup`: NATS_USER, NATS_PASSWORD_FILE or NATS_NKEY_SEED_FILE, NATS_TLS_CA_FILE
// NATS_STREAM_REPLICAS   servers of the cluster that keep each stream; by default what it has, and 1 for a new one
import { accessFrom, connectBus } from '@joblisting/bus';
import { streams } from '@joblisting/contracts/permissions';
import { setTimeout as delay } from 'node:timers/promises';

const CONNECT_LIMIT_MS = 30_000;
const RETRY_MS = 500;

export async function createStreams(env) {
  const bus = await eventually(() =>
    connectBus({
      url: env.NATS_URL || 'nats://127.0.0.1:4222',
      name: 'setup',
      streamReplicas: env.NATS_STREAM_REPLICAS ? Number(env.NATS_STREAM_REPLICAS) : undefined,
      ...accessFrom(env),
    }),
  );
  try {
    for (const stream of streams) await eventually(() => bus.ensureStream(stream));
  } finally {
    await bus.close();
  }
}

/** At a common start the server comes up later, and a cluster's leader later still. */
async function eventually(attempt) {
  const giveUpAt = Date.now() + CONNECT_LIMIT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() >= giveUpAt) throw error;
      await delay(RETRY_MS);
    }
  }
}

if (import.meta.main) {
  try {
    await createStreams(process.env);
    process.stdout.write(`The streams are there: ${streams.map(({ name }) => name).join(', ')}.\n`);
  } catch (error) {
    process.stderr.write(`The streams could not be made: ${error.message}\n`);
    process.exitCode = 1;
  }
}
