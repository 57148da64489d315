import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../bootstrap/terminal.mjs';

const loopback = '127.0.0.1';
const pollMs = 50;
const replyLimitMs = 2000;

/** A free port of the loopback interface. */
export function freePort(): Promise<number> {
  return listenOnce(loopback, 0);
}

/** The previous port if it is still free, so that addresses survive a restart; else a new one. */
export async function portLike(previous: number | undefined): Promise<number> {
  if (previous === undefined) return freePort();
  return listenOnce(loopback, previous).catch(() => freePort());
}

/** @throws Problem that says why nothing can listen there and what to do. */
export async function requireFreePort(host: string, port: number, setting: string): Promise<void> {
  try {
    await listenOnce(host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Problem(
        `Port ${port} on ${host} is in use: stop the other program, or set ${setting} to another port.`,
      );
    }
    if (code === 'EACCES') {
      throw new Problem(`This user may not use port ${port}: set ${setting} to a port above 1023.`);
    }
    throw new Problem(`Cannot listen on HOST=${host}, ${setting}=${port} (${code}).`);
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

/** Resolves when `/readyz` returns 200. Rejects if `signal` aborts first. */
export async function untilReady(origin: string, signal: AbortSignal): Promise<void> {
  while (!(await isReady(origin))) await delay(pollMs, undefined, { signal });
}

async function isReady(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(replyLimitMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
