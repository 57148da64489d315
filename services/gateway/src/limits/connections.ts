import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { counts } from './counts.ts';
import { networkOf } from './network.ts';

interface ConnectionLimits {
  readonly most: number;
  readonly mostOfOneAddress: number;
  /** Whether an address is a trusted proxy: its connections are those of many clients. */
  readonly isProxy: (address: string) => boolean;
  /** Milliseconds that only ever go forward. */
  readonly monotonic: () => number;
}

/** How long no connection is accepted from a network of which one was flooded with requests. */
const SHUT_OUT_MS = 10_000;
const MOST_SHUT_OUT = 10_000;
/** From this part of the limit on, each new connection closes the one that has been idle longest. */
const NEARLY_FULL = 0.9;

/**
 * Closes connections of an address that has too many as they come. Near the total, idle ones give way, so that whoever
 * opens many and leaves them keeps nobody out.
 * @returns shuts out the network of a connection for 10 s. Idle ones are closed, those that wait for answers stay.
 */
export function limitConnections(
  server: Server,
  { most, mostOfOneAddress, isProxy, monotonic }: ConnectionLimits,
): (socket: Socket) => void {
  const byNetwork = counts<string>();
  const underWay = new WeakMap<Socket, number>();
  /** The one that has been idle longest comes first. */
  const idle = new Set<Socket>();
  const shutOut = new LRUCache<string, true>({
    max: MOST_SHUT_OUT,
    ttl: SHUT_OUT_MS,
    ttlResolution: 0,
    perf: { now: monotonic },
  });
  let open = 0;

  const closeLongestIdle = (): void => {
    const [longest] = idle;
    if (!longest) return;
    idle.delete(longest);
    longest.destroy();
  };

  server.maxConnections = most;
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    const network = networkOf(remoteAddress);
    const isRefused = shutOut.has(network) || byNetwork.get(network) >= mostOfOneAddress;
    if (isRefused && !isProxy(remoteAddress)) return socket.destroy();
    byNetwork.add(network, 1);
    open++;
    if (open > most * NEARLY_FULL) closeLongestIdle();
    idle.add(socket);
    return socket.once('close', () => {
      byNetwork.add(network, -1);
      open--;
      idle.delete(socket);
    });
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (underWay.get(socket) ?? 1) - 1;
      underWay.set(socket, left);
      if (left === 0 && !socket.destroyed) idle.add(socket);
    });
  });

  return ({ remoteAddress }) => {
    const network = networkOf(remoteAddress);
    if (isProxy(remoteAddress ?? '') || shutOut.has(network)) return;
    shutOut.set(network, true);
    for (const socket of idle) if (networkOf(socket.remoteAddress) === network) socket.destroy();
  };
}
