import { setTimeout as delay } from 'node:timers/promises';
import { isServerError, type Mongo } from '@joblisting/service-kit';
import type { ClientSession } from 'mongoose';

/** Options of a read that sees the state that the first one of its snapshot saw. */
export interface SnapshotRead {
  readonly session: ClientSession;
  readonly readConcern: { readonly level: 'snapshot' };
}

/** The snapshot is older than a collection or an index that was just made, or gone. */
const GONE = new Set<unknown>([239, 246]);
const RUNS = 5;
const PAUSE_MS = 20;

/**
 * Reads once or more in the one state that the majority had at the first read: every write that was acknowledged
 * before is in it. Nothing is locked, and no write waits for it.
 */
export async function inSnapshot<T>(mongo: Mongo, work: (read: SnapshotRead) => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    const session = await mongo.startSession({ snapshot: true, causalConsistency: false });
    try {
      return await work({ session, readConcern: { level: 'snapshot' } });
    } catch (error) {
      if (run === RUNS || !(isServerError(error) && GONE.has(error.code))) throw error;
    } finally {
      await session.endSession();
    }
    await delay(PAUSE_MS);
  }
}
