import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems give to connections that go out (Linux: from 32768 on). */
const FIRST = 15_000;
const END = 32_000;

const given = new Set<number>();

/**
 * A port of the loopback interface that nobody listens on, for a process that is about to. It is not one that the
 * system may give to a connection meanwhile, nor one that this process was given before.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (given.has(port)) continue;
    given.add(port);
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
