import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { counts } from './counts.ts';
import { networkOf } from './network.ts';

interface ConnectionLimits {
  readonly most: number;
  readonly mostOfOneAddress: number;
  /** Whether an address is a trusted proxy: its connections are those of many clients. */
  readonly isProxy: (address: string) => boolean;
}

/** From this part of the limit on, each new connection closes the one that has been idle longest. */
const NEARLY_FULL = 0.9;

/**
 * Closes connections of an address that has too many as they come. Near the total, idle ones give way, so that whoever
 * opens many and leaves them keeps nobody out.
 */
export function limitConnections(
  server: Server,
  { most, mostOfOneAddress, isProxy }: ConnectionLimits,
): void {
  const byNetwork = counts<string>();
  const underWay = new WeakMap<Socket, number>();
  /** The one that has been idle longest comes first. */
  const idle = new Set<Socket>();
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
    if (byNetwork.get(network) >= mostOfOneAddress && !isProxy(remoteAddress)) return socket.destroy();
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
}
