import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const CHANNEL = 'net.client.socket';

/**
 * Until the function that it returns is called, writers to new sockets of this process are woken when their socket
 * closes: who waits for it to take more bytes would wait for ever, and fails at the next step instead. The MongoDB
 * driver (7.8) needs that: where a socket takes a command only in part, it waits for `drain` alone. A server that is
 * frozen, or stops, leaves such a command without an end and its connection out of the pool for good, as the driver's
 * own time-out closes the socket without an error. The kernel takes some 5 MB at once, so only large commands get
 * there. Sockets of TLS are not told of on this channel.
 */
export function wakeWritersOfClosedSockets(): () => void {
  const onSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    socket.once('close', () => void socket.emit('drain'));
  };
  subscribe(CHANNEL, onSocket);
  return () => void unsubscribe(CHANNEL, onSocket);
}
