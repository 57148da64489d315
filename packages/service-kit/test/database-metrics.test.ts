import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { databasePrefix, testMongoUri, waitFor } from '@joblisting/testing';
import { connectMongo, type Mongo } from '../src/index.ts';
import { watchDatabase } from '../src/telemetry/database-metrics.ts';
import { createMetrics } from '../src/telemetry/metrics.ts';

/** A way to the database that can be closed and opened again. */
async function startGate(mongoUri: string) {
  const target = new URL(mongoUri);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  const open = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await open(0);
  return {
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    open: () => open(port),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

let gate: Awaited<ReturnType<typeof startGate>>;
let mongo: Mongo;
const metrics = createMetrics();

beforeAll(async () => {
  gate = await startGate(testMongoUri());
  mongo = await connectMongo(gate.uri, `${databasePrefix()}watched`);
  watchDatabase(metrics, mongo);
});
afterEach(() => gate.close());
afterAll(() => mongo.close());

const connectedIs = (value: number) =>
  waitFor(async () => (await metrics.registry.metrics()).includes(`\nmongodb_connected ${value}\n`), {
    what: `mongodb_connected ${value}`,
  });

describe('mongodb_connected', () => {
  it('is 1 at first, 0 while the database is away although nobody asks it for anything, and 1 again', async () => {
    expect(await metrics.registry.metrics()).toContain('\nmongodb_connected 1\n');
    gate.close();
    await connectedIs(0);
    await gate.open();
    await connectedIs(1);
  });
});
