import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { counts, networkOf } from '@joblisting/service-kit/http';
import { isChunked } from '../http/body.ts';

/** The most unanswered requests of one connection that are worked on. Past it the socket is not read further. */
const MOST_UNANSWERED = 16;
/** The most of one address that are worked on besides the first of each connection. */
const MOST_BESIDES_FIRST = 64;
/**
 * The most requests that wait for their turn: one read may bring thousands. A connection with more is closed, because
 * each costs up to 16 kB, and keeping what a hundred connections have sent would fill the heap.
 */
const MOST_WAITING = 84;
/** The same for all connections together: 32 MB. */
const MOST_WAITING_IN_ALL = 2048;

interface Connection {
  readonly network: string;
  unanswered: number;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Bounds the unanswered requests of each connection, on every route. The server's idle time-out closes a connection
 * whose client never reads the answers.
 * @param onFlood closes a connection whose own requests are too many
 */
export function limitPipelining(
  handle: RequestListener,
  onFlood: (socket: Socket) => void,
  mostWaitingInAll = MOST_WAITING_IN_ALL,
): RequestListener {
  const connections = new WeakMap<Socket, Connection>();
  const besidesFirst = counts<string>();
  let waitingInAll = 0;

  const mayStart = ({ unanswered, network }: Connection): boolean =>
    unanswered === 0 || (unanswered < MOST_UNANSWERED && besidesFirst.get(network) < MOST_BESIDES_FIRST);

  const start = (connection: Connection, request: IncomingMessage, response: ServerResponse): void => {
    if (connection.unanswered++ > 0) besidesFirst.add(connection.network, 1);
    response.once('close', () => {
      if (--connection.unanswered > 0) besidesFirst.add(connection.network, -1);
      const { socket } = request;
      if (socket.destroyed) waitingInAll -= connection.waiting.splice(0).length;
      const next = connection.waiting.shift();
      if (next) {
        waitingInAll--;
        start(connection, ...next);
      } else if (socket.isPaused()) socket.resume();
    });
    handle(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const connection = connections.get(socket) ?? {
      network: networkOf(socket.remoteAddress),
      unanswered: 0,
      waiting: [],
    };
    connections.set(socket, connection);
    if (mayStart(connection)) start(connection, request, response);
    // Node would buffer the body's chunks while the request waits.
    else if (isChunked(request)) socket.destroy();
    else if (connection.waiting.length < MOST_WAITING && waitingInAll < mostWaitingInAll) {
      waitingInAll++;
      connection.waiting.push([request, response]);
      // Node resumes the socket at the end of each message that it has parsed.
      process.nextTick(() => {
        if (connection.waiting.length > 0) socket.pause();
      });
    } else {
      if (connection.waiting.length >= MOST_WAITING) onFlood(socket);
      else socket.destroy();
    }
  };
}
