import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { MemoryLimiter } from './memory.ts';

/** The most requests of one connection that are worked on, or whose answer is not out yet. */
const MOST_UNANSWERED = 16;
/** What a request takes that waits to be worked on. */
const WAITING_BYTES = 2048;

interface Connection {
  unanswered: number;
  waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Bounds the unanswered requests of each connection. Past the bound the socket is not read further until answers are
 * out; the server's idle time-out cuts off a client that never reads them. What the last read brought in excess waits
 * here, and counts as memory.
 */
export function limitPipelining(handle: RequestListener, memory: MemoryLimiter): RequestListener {
  const connections = new WeakMap<Socket, Connection>();

  const start = (connection: Connection, request: IncomingMessage, response: ServerResponse): void => {
    connection.unanswered++;
    response.once('close', () => {
      connection.unanswered--;
      const { socket } = request;
      if (socket.destroyed) connection.waiting = [];
      const next = connection.waiting.shift();
      if (next) start(connection, ...next);
      else if (socket.isPaused()) socket.resume();
    });
    handle(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? { unanswered: 0, waiting: [] };
    connections.set(socket, connection);
    if (connection.unanswered < MOST_UNANSWERED) start(connection, request, response);
    else if (memory.hasRoomFor(0)) {
      connection.waiting.push([request, response]);
      memory.holdForClient(response, WAITING_BYTES);
      // Node resumes the socket at the end of each message that it has parsed.
      process.nextTick(() => {
        if (connection.waiting.length > 0) socket.pause();
      });
    } else socket.destroy();
  };
}
