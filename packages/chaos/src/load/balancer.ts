import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type Client, createClient, type Keys } from '@joblisting/e2e/harness';
import { reasonOf } from './decided.ts';

const LOOK_EVERY_MS = 100;

/**
 * What stands in front of several gateways: it sends to those that say ready, in turn, and to the next one where a
 * connection is refused. It repeats nothing that it has sent.
 */
export function balance(origins: readonly string[]) {
  const ready = new Set(origins);
  let turn = 0;
  let stopping = false;
  const look = async (): Promise<void> => {
    while (!stopping) {
      await Promise.all(
        origins.map(async (origin) => {
          const answer = await fetch(`${origin}/readyz`).catch(() => undefined);
          await answer?.body?.cancel();
          if (answer?.ok === true) ready.add(origin);
          else ready.delete(origin);
        }),
      );
      await delay(LOOK_EVERY_MS);
    }
  };
  const looking = look();
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
    stop: async (): Promise<void> => {
      stopping = true;
      await looking;
    },
  };
}
