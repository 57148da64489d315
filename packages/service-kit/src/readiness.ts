import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@joblisting/bus';
import type { Mongo } from './mongo.ts';

const ANSWER_LIMIT_MS = 1000;

/** Why the bus cannot be used now; undefined when it can. Takes at most a second. */
export const busTrouble = async (
  bus: Pick<Bus, 'isConnected' | 'flush' | 'deniedSubscriptions'>,
): Promise<string | undefined> => {
  if (!bus.isConnected()) return 'the bus is away';
  const denied = bus.deniedSubscriptions();
  if (denied.length > 0) return `the bus does not permit to listen to ${denied.join(', ')}`;
  return trouble('the bus', () => bus.flush());
};

/** Why the database cannot be used now; undefined when it can. Takes at most a second. */
export const databaseTrouble = async (mongo: Mongo): Promise<string | undefined> =>
  trouble('the database', async () => mongo.db?.admin().ping());

async function trouble(what: string, roundTrip: () => Promise<unknown>): Promise<string | undefined> {
  const done = new AbortController();
  const late = delay(ANSWER_LIMIT_MS, `${what} does not answer`, { ref: false, signal: done.signal });
  late.catch(() => undefined);
  try {
    return await Promise.race([roundTrip().then(() => undefined), late]);
  } catch {
    return `${what} is away`;
  } finally {
    done.abort();
  }
}
