import type { Bus } from '@joblisting/bus';
import { withTimeout } from './batching.ts';
import type { Mongo } from './mongo.ts';

const ROUND_TRIP_LIMIT_MS = 1000;

/** Why the bus cannot be used now; undefined when it can. Takes at most a second. */
export async function busTrouble(
  bus: Pick<Bus, 'isConnected' | 'flush' | 'deniedSubscriptions'>,
): Promise<string | undefined> {
  if (!bus.isConnected()) return 'the bus is away';
  const denied = bus.deniedSubscriptions();
  if (denied.length > 0) return `the bus does not permit to listen to ${denied.join(', ')}`;
  return trouble('the bus does not answer', bus.flush());
}

/** Why the database cannot be used now; undefined when it can. Takes at most a second. */
export const databaseTrouble = ({ db }: Mongo): Promise<string | undefined> =>
  trouble('the database does not answer', db?.admin().ping());

async function trouble(reason: string, roundTrip: Promise<unknown> | undefined): Promise<string | undefined> {
  if (!roundTrip) return reason;
  try {
    await withTimeout(roundTrip, ROUND_TRIP_LIMIT_MS);
    return undefined;
  } catch {
    return reason;
  }
}
