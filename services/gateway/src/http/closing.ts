import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 25;

export interface ClosingTimes {
  /** How long requests are still taken once `/readyz` says that it stops: longer than a balancer's look there. */
  readonly drainMs: number;
  /** How long what is under way may then take. */
  readonly limitMs: number;
}

export interface Closing {
  readonly isClosing: () => boolean;
  /** Aborts once the drain is over: a body that is still on its way in will not be waited for. */
  readonly refusing: AbortSignal;
  /** Counts a request as under way until its response is closed. */
  readonly countIn: (response: ServerResponse) => void;
}

/**
 * Makes `server.close()` graceful. First it only says so, in `/readyz` and on every answer: a connection that is
 * closed the moment a request arrives on it would reset that request. Then no more connections are taken, and as
 * soon as the last answer is out, or `limitMs` are over, every connection is ended. Node alone waits for ever for one that
 * was opened and not used, and stops its own time-outs meanwhile.
 */
export function closeGracefully(server: FastifyInstance, { drainMs, limitMs }: ClosingTimes): Closing {
  const refusing = new AbortController();
  let closing = false;
  let underWay = 0;

  const countIn = (response: ServerResponse): void => {
    underWay++;
    response.on('close', () => underWay--);
  };
  server.addHook('onRequest', (_request, reply, done) => {
    countIn(reply.raw);
    done();
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('Connection', 'close');
    done(null, payload);
  });
  server.addHook('preClose', async () => {
    closing = true;
    if (server.server.listening) await delay(drainMs);
    refusing.abort();
    const giveUpAt = performance.now() + limitMs;
    const look = setInterval(() => {
      const isQuiet = underWay === 0 && !server.server.listening;
      if (isQuiet || performance.now() >= giveUpAt) server.server.closeAllConnections();
    }, LOOK_EVERY_MS);
    server.server.once('close', () => clearInterval(look));
  });
  return { isClosing: () => closing, refusing: refusing.signal, countIn };
}
