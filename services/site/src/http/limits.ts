import { counts, networkOf } from '@joblisting/service-kit/http';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Each of many small headers costs 100 times its bytes once parsed. */
const MOST_HEADERS = 100;

interface ConnectionLimits {
  readonly most: number;
  readonly mostOfOneAddress: number;
  /** Whether an address is a trusted proxy: its connections are those of many clients. */
  readonly isProxy: (address: string) => boolean;
}

/** Closes connections over these limits as they come. */
export function limitConnections(
  { server }: FastifyInstance,
  { most, mostOfOneAddress, isProxy }: ConnectionLimits,
): void {
  const byNetwork = counts<string>();
  server.maxConnections = most;
  server.maxHeadersCount = MOST_HEADERS;
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket;
    if (isProxy(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    if (byNetwork.get(network) >= mostOfOneAddress) {
      socket.destroy();
      return;
    }
    byNetwork.add(network, 1);
    socket.once('close', () => byNetwork.add(network, -1));
  });
}

/** Limits what runs at once, in all and for the clients of one network. */
export function networkLimiter(most: number, mostOfOneNetwork: number) {
  const byNetwork = counts<string>();
  let total = 0;
  return {
    tryAcquire: (address: string): boolean => {
      const network = networkOf(address);
      if (total >= most || byNetwork.get(network) >= mostOfOneNetwork) return false;
      total += 1;
      byNetwork.add(network, 1);
      return true;
    },
    release: (address: string): void => {
      total -= 1;
      byNetwork.add(networkOf(address), -1);
    },
  };
}

interface RequestLimits {
  readonly maxInFlight: number;
  readonly longestUrl: number;
  readonly onTooMany: (reply: FastifyReply) => FastifyReply;
  readonly onTooLong: (reply: FastifyReply) => FastifyReply;
}

/**
 * Refuses requests over these limits before any work is done for them. There is no queue: it would only add delay. A
 * client that is still sending its body holds no place.
 */
export function limitRequests(server: FastifyInstance, limits: RequestLimits): { inFlight: () => number } {
  let inFlight = 0;
  server.addHook('onRequest', async (request, reply) =>
    request.url.length > limits.longestUrl ? limits.onTooLong(reply) : undefined,
  );
  server.addHook('preHandler', async (request, reply) => {
    // The close of a client that has left would come no more.
    if (request.routeOptions.config.quiet || reply.raw.closed) return undefined;
    if (inFlight >= limits.maxInFlight) return limits.onTooMany(reply);
    inFlight++;
    reply.raw.once('close', () => inFlight--);
    return undefined;
  });
  return { inFlight: () => inFlight };
}
