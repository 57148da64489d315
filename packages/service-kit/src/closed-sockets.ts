import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

let isWatching = false;

/** Whoever waits until a closed socket takes more bytes waits for ever, unless told; its next step fails then. */
const onSocket = (message: unknown): void => {
  const { socket } = message as { socket: Socket };
  if (socket.listeners('close').some(isWaker)) return;
  const wake = () => void socket.emit('drain');
  socket.once('close', Object.assign(wake, { [WAKER]: true }));
};

/** Known to whoever has loaded this module once more, as tests do for each file. */
const WAKER = Symbol.for('joblisting.wakes-writers');
const isWaker = (listener: object): boolean => WAKER in listener;

/**
 * From now on, writers to sockets of this process are woken when their socket closes. The MongoDB driver (7.8) needs
 * that: where a socket takes a command only in part, it waits for `drain` alone. A server that is frozen, or stops,
 * leaves such a command without an end and its connection out of the pool for good, as the driver's own time-out
 * closes the socket without an error. The kernel takes some 5 MB at once, so only large commands get there.
 * Sockets of TLS are not told of on this channel.
 */
export function wakeWritersOfClosedSockets(): void {
  if (isWatching) return;
  isWatching = true;
  subscribe('net.client.socket', onSocket);
}
