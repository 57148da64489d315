import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Loads testcontainers, which takes a while, only where containers are used. */
export async function engine() {
  // Its reaper is one more image to have; every suite stops what it started.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
  return { GenericContainer, Wait, runtime: await getContainerRuntimeClient() };
}

/** A port of the loopback interface that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
