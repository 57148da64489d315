import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Problem } from '../bootstrap/problem.mjs';

const loopback = '127.0.0.1';

/** A port of the loopback interface that is free now. */
export function freePort(): Promise<number> {
  return listenOnce(loopback, 0);
}

/** The port that was used before when it is still free, so that addresses survive a restart; else another. */
export async function keptPort(before: number | undefined): Promise<number> {
  if (before === undefined) return freePort();
  return listenOnce(loopback, before).catch(() => freePort());
}

/** @throws Problem when nothing can listen there, with the reason and what to do. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  try {
    await listenOnce(host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Problem(`Port ${port} on ${host} is taken: stop what uses it, or set PORT to another one.`);
    }
    if (code === 'EACCES') {
      throw new Problem(`Port ${port} may not be used by this user: set PORT to one above 1023.`);
    }
    throw new Problem(`Nothing can listen on HOST=${host}, PORT=${port} (${code}).`);
  }
}

async function listenOnce(host: string, port: number): Promise<number> {
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  const { port: actual } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return actual;
}
