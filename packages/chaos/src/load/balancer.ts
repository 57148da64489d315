import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type Client, createClient, type Keys, type Send } from '@joblisting/testing/system';
import { reasonOf } from './decided.ts';

export type Balancer = ReturnType<typeof startBalancer>;

const CHECK_EVERY_MS = 100;
/** A gateway that does not answer within this limit is not ready. */
const CHECK_LIMIT_MS = 1000;

/**
 * A load balancer: sends to the ready gateways in rotation, and to the next one if a connection is refused. It never
 * repeats a request.
 */
export function startBalancer(origins: readonly string[]) {
  const ready = new Set(origins);
  let turn = 0;
  let stopping = false;
  const watch = async (origin: string): Promise<void> => {
    while (!stopping) {
      const signal = AbortSignal.timeout(CHECK_LIMIT_MS);
      const answer = await fetch(`${origin}/readyz`, { signal }).catch(() => undefined);
      await answer?.body?.cancel().catch(() => undefined);
      if (answer?.ok === true) ready.add(origin);
      else ready.delete(origin);
      await delay(CHECK_EVERY_MS);
    }
  };
  const watching = Promise.all(origins.map(watch));
  return {
    /** Sends with a client of one of the gateways. @throws the error of the connection */
    send: async (
      keys: Keys,
      request: (client: Client, origin: string) => Promise<Answer>,
    ): Promise<Answer> => {
      const candidates = [...ready, ...origins];
      const start = turn++ % Math.max(1, ready.size);
      for (let attempt = 0; ; attempt++) {
        const origin = candidates[(start + attempt) % candidates.length] as string;
        try {
          return await request(createClient(origin, keys), origin);
        } catch (error) {
          if (reasonOf(error) !== 'ECONNREFUSED' || attempt >= candidates.length) throw error;
        }
      }
    },
    isReady: (origin: string): boolean => ready.has(origin),
    stop: async (): Promise<void> => {
      stopping = true;
      await watching;
    },
  };
}

/** A client that sends every request through the balancer. */
export function balancedClient(balancer: Balancer, keys: Keys): Client {
  const send = (path: string, options?: Send) => balancer.send(keys, (client) => client.send(path, options));
  const withBody = (method: string) => (path: string, body?: unknown, options?: Send) =>
    send(path, { method, body, ...options });
  return {
    send,
    get: (path, headers) => send(path, headers && { headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    delete: withBody('DELETE'),
  };
}
