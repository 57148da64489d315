import type { ClientSession } from 'mongoose';
import type { Mongo } from './mongo.ts';

interface ReadOptions {
  readonly session: ClientSession;
  readonly readConcern: { readonly level: 'local' | 'majority' };
}

/**
 * Reads what may have been written a moment ago, and resolves to it only once the majority has it: what a new
 * primary may not know must not be told as done. The second look comes causally after the first one, and so waits
 * where the majority is behind it; a linearizable read would wait for the journal as well.
 */
export async function readDurably<T>(
  mongo: Mongo,
  find: (options: ReadOptions) => Promise<T | null>,
): Promise<T | undefined> {
  const session = await mongo.startSession({ causalConsistency: true });
  try {
    if ((await find({ session, readConcern: { level: 'local' } })) === null) return undefined;
    return (await find({ session, readConcern: { level: 'majority' } })) ?? undefined;
  } finally {
    await session.endSession();
  }
}
