import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections (Linux: from 32768). */
const FIRST = 15_000;
const END = 32_000;

const used = new Set<number>();

/**
 * A free port of the loopback interface, for a process to listen on. No outgoing connection can take it meanwhile, and
 * this process gets each port once.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (used.has(port)) continue;
    used.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
