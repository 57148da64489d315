import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type Client, createClient, type Keys } from '@joblisting/testing/system';
import { reasonOf } from './decided.ts';

export type Balancer = ReturnType<typeof balance>;

const LOOK_EVERY_MS = 100;
/** A gateway that does not even say whether it is ready within that gets nothing more. */
const LOOK_LIMIT_MS = 1000;

/**
 * What stands in front of several gateways: it sends to those that say ready, in turn, and to the next one where a
 * connection is refused. It repeats nothing that it has sent.
 */
export function balance(origins: readonly string[]) {
  const ready = new Set(origins);
  let turn = 0;
  let stopping = false;
  const watch = async (origin: string): Promise<void> => {
    while (!stopping) {
      const signal = AbortSignal.timeout(LOOK_LIMIT_MS);
      const answer = await fetch(`${origin}/readyz`, { signal }).catch(() => undefined);
      await answer?.body?.cancel().catch(() => undefined);
      if (answer?.ok === true) ready.add(origin);
      else ready.delete(origin);
      await delay(LOOK_EVERY_MS);
    }
  };
  const watching = Promise.all(origins.map(watch));
  return {
    /** Sends by a client of one of the gateways. @throws what the connection failed with */
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
