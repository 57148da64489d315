import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connection, openConnection, type requestsTo } from '@joblisting/testing/system';
import type { Scaled } from '../figures.ts';
import type { World } from '../system/world.ts';
import { connectSlowly, type Slowness } from './slow.ts';
import { startWorkers } from './workers.ts';

export interface AttackContext extends Scaled {
  readonly origin: string;
  /** Of the attacker alone, with the default rate limits. */
  readonly world: World;
  /** Writes requests with its keys. */
  readonly requests: ReturnType<typeof requestsTo>;
  /** Counts requests by their status, 0 without an answer, or by what is special about them. */
  readonly count: (outcome: number | string, requests?: number) => void;
}

export type Stop = () => Promise<void> | void;

/** Resolves when the attack runs. */
export type Attack = (context: AttackContext) => Promise<Stop> | Stop;

export const REOPEN_MS = 100;
const OPENED_WITHIN_MS = 1000;
const REQUESTS_OF_ONE_WRITE = 50;
/** Some connections write as fast as they can, others slowly enough to pile up answers before they are cut off. */
const PAUSES_MS = [0, 500];
const HOLD_MS = { ci: 1500, full: 5000 };

/** Each connection sends its next request after the last answer, and is opened again when it was closed. */
export function flood(
  { origin, count }: AttackContext,
  connections: number,
  next: () => string | Uint8Array,
): Stop {
  const { hostname, port } = new URL(origin);
  const open = new Set<Connection>();
  const load = startWorkers(connections, async () => {
    const connection = openConnection(hostname, Number(port));
    open.add(connection);
    while (connection.isOpen()) count((await connection.send(next())).status);
    open.delete(connection);
    await delay(REOPEN_MS);
  });
  return () => {
    const stopped = load.stop();
    for (const connection of open) connection.close();
    return stopped;
  };
}

/** Writes a request again and again, and never reads the answers. */
export function pipeline(context: AttackContext, connections: number, request: string): Stop {
  const chunk = request.repeat(REQUESTS_OF_ONE_WRITE);
  let opened = 0;
  return keepOpen(context, connections, REOPEN_MS, (socket) => {
    const pauseMs = PAUSES_MS[opened++ % PAUSES_MS.length];
    const write = (): void => {
      if (socket.destroyed) return;
      context.count('unread', REQUESTS_OF_ONE_WRITE);
      socket.write(chunk, () => setTimeout(write, pauseMs));
    };
    write();
  });
}

/** Each connection writes the request 50 times, reads all answers, and starts again. */
export function burst(context: AttackContext, connections: number, request: string): Stop {
  const chunk = request.repeat(REQUESTS_OF_ONE_WRITE);
  return keepOpen(context, connections, REOPEN_MS, (socket) => {
    let unanswered = REQUESTS_OF_ONE_WRITE;
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      const pieces = (received + text).split('HTTP/1.1 ');
      received = pieces.at(-1) ?? '';
      unanswered -= pieces.length - 1;
      if (unanswered > 0) return;
      context.count('answered', REQUESTS_OF_ONE_WRITE);
      unanswered = REQUESTS_OF_ONE_WRITE;
      socket.write(chunk);
    });
    socket.write(chunk);
  });
}

/** Each connection writes this once, and neither reads nor writes anything more. */
export function leaveAlone(context: AttackContext, connections: number, text: string): Stop {
  return keepOpen(context, connections, REOPEN_MS, (socket) => {
    context.count('left alone');
    socket.pause().write(text);
  });
}

/** Holds slow connections, and opens another one after each. */
export function holdSlowly(
  { scale, origin, count }: AttackContext,
  connections: number,
  kinds: readonly Slowness[],
): Stop {
  return startWorkers(connections, async (index) => {
    const kind = kinds[index % kinds.length] as Slowness;
    count(kind.name);
    await connectSlowly(origin, kind, HOLD_MS[scale]);
  }).stop;
}

/** Keeps connections open, and calls `use` with each. */
export function keepOpen(
  { origin }: AttackContext,
  connections: number,
  reopenMs: number,
  use: (socket: Socket) => void,
): Stop {
  const { hostname, port } = new URL(origin);
  const sockets = new Set<Socket>();
  let isStopped = false;
  const open = (): void => {
    if (isStopped) return;
    const socket = connect(Number(port), hostname, () => use(socket));
    sockets.add(socket.on('error', () => undefined));
    socket.once('close', () => {
      sockets.delete(socket);
      setTimeout(open, reopenMs);
    });
  };
  // One after the other: opening thousands at once would block this process, and the other client in it.
  for (let each = 0; each < connections; each++) setTimeout(open, (OPENED_WITHIN_MS * each) / connections);
  return () => {
    isStopped = true;
    for (const socket of sockets) socket.destroy();
  };
}
