import type { FastifyInstance } from 'fastify';

const LOOK_EVERY_MS = 25;

/**
 * Makes `server.close()` graceful: the answers of what is under way say that the connection ends, and as soon as
 * the last one is out, or `limitMs` are over, every connection is ended. Node alone waits for ever for one that
 * was opened and not used, and stops its own time-outs meanwhile.
 * @returns whether it is closing.
 */
export function closeGracefully(server: FastifyInstance, limitMs: number): () => boolean {
  let closing = false;
  let underWay = 0;

  server.addHook('onRequest', async (_request, reply) => {
    underWay++;
    reply.raw.once('close', () => underWay--);
  });
  server.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('Connection', 'close');
  });
  server.addHook('preClose', async () => {
    closing = true;
    const giveUpAt = performance.now() + limitMs;
    const look = setInterval(() => {
      const isQuiet = underWay === 0 && !server.server.listening;
      if (isQuiet || performance.now() >= giveUpAt) server.server.closeAllConnections();
    }, LOOK_EVERY_MS);
    server.server.once('close', () => clearInterval(look));
  });
  return () => closing;
}
