// Creates the streams and updates existing ones to the limits in packages/contracts. Safe to run again. Services need
// their streams to start and have no permission to create them.
//
// NATS_URL; as user `setup`: NATS_USER, NATS_PASSWORD_FILE or NATS_NKEY_SEED_FILE, NATS_TLS_CA_FILE
// NATS_STREAM_REPLICAS   replicas of each stream; by default unchanged, and 1 for a new stream
import { accessFrom, connectBus } from '@joblisting/bus';
import { streams } from '@joblisting/contracts/permissions';
import { setTimeout as delay } from 'node:timers/promises';

const CONNECT_LIMIT_MS = 30_000;
const RETRY_MS = 500;

export async function createStreams(env) {
  const bus = await retry(() =>
    connectBus({
      url: env.NATS_URL || 'nats://127.0.0.1:4222',
      name: 'setup',
      streamReplicas: env.NATS_STREAM_REPLICAS ? Number(env.NATS_STREAM_REPLICAS) : undefined,
      ...accessFrom(env),
    }),
  );
  try {
    for (const stream of streams) await retry(() => bus.ensureStream(stream));
  } finally {
    await bus.close();
  }
}

/** The server, or the leader of a cluster, may start later than this script. */
async function retry(attempt) {
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
    process.stdout.write(`Created or updated the streams: ${streams.map(({ name }) => name).join(', ')}.\n`);
  } catch (error) {
    process.stderr.write(`Creating the streams failed: ${error.message}\n`);
    process.exitCode = 1;
  }
}
