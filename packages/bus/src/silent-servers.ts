import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const CHANNEL = 'net.client.socket';

/**
 * Closes connections to these servers that get no byte within `limitMs`: a frozen server accepts connections but sends
 * no greeting. The client (2.29) only forgets such an attempt; once the server continues, the forgotten one makes the
 * client connect a second time, and the replies to half of the requests are lost.
 * @param servers as in `BusOptions.url`
 * @returns ends the watch
 */
export function closeSilentAttempts(servers: readonly string[], limitMs: number): () => void {
  const ports = new Set(servers.map(portOf));
  const onSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    socket.once('connectionAttempt', (_address, port) => {
      if (!ports.has(port)) return;
      setTimeout(() => {
        if (socket.bytesRead === 0) socket.destroy();
      }, limitMs).unref();
    });
  };
  subscribe(CHANNEL, onSocket);
  return () => void unsubscribe(CHANNEL, onSocket);
}

const DEFAULT_PORT = 4222;

const portOf = (server: string): number =>
  Number(new URL(server.includes('://') ? server : `nats://${server}`).port || DEFAULT_PORT);
