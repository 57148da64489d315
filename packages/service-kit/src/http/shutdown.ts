import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

const CHECK_EVERY_MS = 25;

interface ShutdownTimes {
  /** How long requests are still accepted once `/readyz` says 503: longer than a load balancer's check interval. */
  readonly drainMs: number;
  /** How long requests in flight may take after that. */
  readonly limitMs: number;
}

interface Shutdown {
  readonly isStopping: () => boolean;
  /** Aborts at the end of the drain, which ends the wait for incomplete bodies. */
  readonly stopping: AbortSignal;
}

/**
 * Makes `server.close()` graceful. It first announces the stop, in `/readyz` and by `Connection: close` on every
 * answer: closing a connection at the moment a request arrives would reset that request. Then it stops accepting
 * connections, and closes all of them after the last answer or `limitMs`. Node alone would wait for unused ones without
 * limit.
 */
export function closeGracefully(server: FastifyInstance, { drainMs, limitMs }: ShutdownTimes): Shutdown {
  const stopping = new AbortController();
  let isStopping = false;
  let inFlight = 0;

  server.addHook('onRequest', (_request, reply, done) => {
    inFlight++;
    reply.raw.on('close', () => inFlight--);
    done();
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (isStopping) reply.header('Connection', 'close');
    done(null, payload);
  });
  server.addHook('preClose', async () => {
    isStopping = true;
    if (server.server.listening) await delay(drainMs);
    stopping.abort();
    const giveUpAt = performance.now() + limitMs;
    const check = setInterval(() => {
      const isIdle = inFlight === 0 && !server.server.listening;
      if (isIdle || performance.now() >= giveUpAt) server.server.closeAllConnections();
    }, CHECK_EVERY_MS);
    server.server.once('close', () => clearInterval(check));
  });
  return { isStopping: () => isStopping, stopping: stopping.signal };
}
