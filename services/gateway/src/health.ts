import type { Bus } from '@joblisting/bus';
import type { FastifyInstance } from 'fastify';

const ANSWER_LIMIT_MS = 1000;

/** `/healthz`: the process lives. `/readyz`: it can do its work; 503 with the reason where it cannot. */
export function answerHealth(server: FastifyInstance, bus: Bus, isClosing: () => boolean): void {
  const config = { quiet: true };
  const noStore = { 'cache-control': 'no-store' };
  server.get('/healthz', { config }, async (_request, reply) =>
    reply.headers(noStore).send({ status: 'live' }),
  );
  server.get('/readyz', { config }, async (_request, reply) => {
    const reason = isClosing() ? 'stopping' : await busTrouble(bus);
    reply.headers(noStore);
    return reason === undefined
      ? reply.send({ status: 'ready' })
      : reply.code(503).header('Retry-After', 1).send({ status: 'not ready', reason });
  });
}

async function busTrouble(bus: Bus): Promise<string | undefined> {
  if (!bus.isConnected()) return 'the bus is away';
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    limit = setTimeout(resolve, ANSWER_LIMIT_MS, 'the bus does not answer');
  });
  try {
    return await Promise.race([bus.flush().then(() => undefined), late]);
  } catch {
    return 'the bus is away';
  } finally {
    clearTimeout(limit);
  }
}
