import { setTimeout as delay } from 'node:timers/promises';
import { deadlineExceeded } from '@joblisting/contracts';
import type { ClientSession } from 'mongoose';
import { isDuplicateKey, isLabelled, isServerError, refusalOfUncommitted } from './database-errors.ts';
import type { Mongo } from './mongo.ts';

const DUPLICATE_KEY_RUNS = 5;
const FIRST_PAUSE_MS = 3;
const LONGEST_PAUSE_MS = 100;

/** @param run how often it ran before, from 0 */
type Work<T> = (session: ClientSession, run: number) => Promise<T>;

/**
 * Runs `work` as one transaction: snapshot reads, a majority write. Repeats it after a write conflict, and a few times
 * after a duplicate key, because the next run sees what the other writer stored. `work` must do nothing but read and
 * write by the session, one operation at a time. Rejects with `unavailable` or `overloaded` if the database is (nothing
 * is done); with `deadline_exceeded` past the deadline (epoch ms; the outcome is unknown); with whatever else `work`
 * throws (nothing is done).
 *
 * The driver's own `withTransaction` retries for two minutes, whatever the deadline: it ignores `timeoutMS`.
 */
export async function inTransaction<T>(mongo: Mongo, deadline: number, work: Work<T>): Promise<T> {
  const session = await mongo.startSession();
  try {
    let duplicateKeys = 0;
    for (let run = 0; ; run++) {
      if (Date.now() >= deadline) throw deadlineExceeded();
      try {
        return await once(session, deadline, () => work(session, run));
      } catch (error) {
        const duplicate = isDuplicateKey(error);
        if (duplicate) duplicateKeys++;
        if (duplicate ? duplicateKeys >= DUPLICATE_KEY_RUNS : !isConflict(error)) {
          throw refusalOfUncommitted(error);
        }
      }
      await delay(Math.random() * pauseAfter(run));
    }
  } finally {
    await session.endSession();
  }
}

const pauseAfter = (attempt: number): number => Math.min(FIRST_PAUSE_MS * 1.5 ** attempt, LONGEST_PAUSE_MS);

async function once<T>(session: ClientSession, deadline: number, work: () => Promise<T>): Promise<T> {
  session.startTransaction({ readConcern: 'snapshot', writeConcern: { w: 'majority', journal: true } });
  let result: T;
  try {
    result = await work();
    if (Date.now() >= deadline) throw deadlineExceeded();
  } catch (error) {
    await session.abortTransaction();
    throw error;
  }
  await commit(session, deadline);
  return result;
}

/**
 * Commits, and repeats an unclear commit, which is safe. Only an answer of the server proves that nothing was
 * committed. A network error does not, as an earlier attempt may have arrived, nor does an overloaded server that
 * rejected this attempt.
 */
async function commit(session: ClientSession, deadline: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      const isUnknown =
        isLabelled(error, 'UnknownTransactionCommitResult') || isLabelled(error, 'SystemOverloadedError');
      if (isServerError(error) && !isUnknown) throw error;
      if (Date.now() >= deadline) throw deadlineExceeded('database_away', error);
      await delay(pauseAfter(attempt));
    }
  }
}

/** A lost connection has the label as well, but another run would only wait for the server once more. */
const isConflict = (error: unknown) => isServerError(error) && isLabelled(error, 'TransientTransactionError');

/** Of reads that belong together. */
export interface ReadOptions<Level extends string> {
  readonly session: ClientSession;
  readonly readConcern: { readonly level: Level };
}

const SNAPSHOT_RUNS = 5;
const SNAPSHOT_PAUSE_MS = 20;

/** All reads with these options see the majority's state at the first one, which includes every acknowledged write. */
export async function inSnapshot<T>(
  mongo: Mongo,
  read: (options: ReadOptions<'snapshot'>) => Promise<T>,
): Promise<T> {
  for (let run = 1; ; run++) {
    const session = await mongo.startSession({ snapshot: true, causalConsistency: false });
    try {
      return await read({ session, readConcern: { level: 'snapshot' } });
    } catch (error) {
      if (run === SNAPSHOT_RUNS || !isSnapshotUnavailable(error)) throw error;
    } finally {
      await session.endSession();
    }
    await delay(SNAPSHOT_PAUSE_MS);
  }
}

const SNAPSHOT_TOO_OLD = 239;
const SNAPSHOT_UNAVAILABLE = 246;

/** For a moment, while a starting replica creates a collection or an index. */
const isSnapshotUnavailable = (error: unknown): boolean =>
  isServerError(error) && (error.code === SNAPSHOT_TOO_OLD || error.code === SNAPSHOT_UNAVAILABLE);

/**
 * Reads a document that may have been written a moment ago, and resolves once the majority has it: a new primary may
 * not know what one server alone has. The second read comes causally after the first, so it waits for the majority.
 */
export async function readDurably<T>(
  mongo: Mongo,
  find: (options: ReadOptions<'local' | 'majority'>) => Promise<T | null>,
): Promise<T | undefined> {
  const session = await mongo.startSession({ causalConsistency: true });
  try {
    if ((await find({ session, readConcern: { level: 'local' } })) === null) return undefined;
    return (await find({ session, readConcern: { level: 'majority' } })) ?? undefined;
  } finally {
    await session.endSession();
  }
}
