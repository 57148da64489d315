import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '@joblisting/contracts';
import type { ClientSession } from 'mongoose';
import { isDuplicateKey, isLabelled, isServerError, refusalOfUncommitted } from './database-errors.ts';
import type { Mongo } from './mongo.ts';
import { spanOf } from './telemetry/database-spans.ts';

const DUPLICATE_KEY_RUNS = 5;
const FIRST_PAUSE_MS = 3;
const LONGEST_PAUSE_MS = 100;

/** @param run how often it was run before, from 0 */
type Work<T> = (session: ClientSession, run: number) => Promise<T>;

/**
 * Runs `work` as one transaction: snapshot reads, a majority write. It is run anew after a write conflict, and a
 * few times after a duplicate key: someone made the same thing in between, or it was not looked for, and the next run
 * sees it. `work` must therefore do nothing but read and write by the session.
 * Rejects with `unavailable` or `overloaded` where the database is away, or has too much to do, and nothing is done, with `deadline_exceeded` past the
 * deadline (epoch ms; the outcome is unknown), and with whatever else `work` throws (nothing is done).
 *
 * The driver's own `withTransaction` goes on for two minutes, whatever the deadline: its `timeoutMS` does nothing.
 */
export async function inTransaction<T>(mongo: Mongo, deadline: number, work: Work<T>): Promise<T> {
  const session = await mongo.startSession();
  try {
    let duplicateKeys = 0;
    for (let run = 0; ; run++) {
      if (Date.now() >= deadline) throw new ServiceError('deadline_exceeded');
      try {
        return await once(mongo, session, deadline, () => work(session, run));
      } catch (error) {
        const duplicate = isDuplicateKey(error);
        if (duplicate) duplicateKeys++;
        if (duplicate ? duplicateKeys >= DUPLICATE_KEY_RUNS : !isConflict(error)) {
          throw refusalOfUncommitted(error);
        }
      }
      await delay(Math.random() * pauseBehind(run));
    }
  } finally {
    await session.endSession();
  }
}

const pauseBehind = (attempt: number): number => Math.min(FIRST_PAUSE_MS * 1.5 ** attempt, LONGEST_PAUSE_MS);

async function once<T>(
  mongo: Mongo,
  session: ClientSession,
  deadline: number,
  work: () => Promise<T>,
): Promise<T> {
  session.startTransaction({ readConcern: 'snapshot', writeConcern: { w: 'majority', journal: true } });
  let result: T;
  try {
    result = await work();
    if (Date.now() >= deadline) throw new ServiceError('deadline_exceeded');
  } catch (error) {
    await session.abortTransaction();
    throw error;
  }
  await commit(mongo, session, deadline);
  return result;
}

/**
 * A commit can be sent again: one that has happened stays as it is. Only the server's own word says that it has
 * not: an error on the way there does not even say whether an earlier attempt of the driver has arrived, nor does a
 * server that has not let this one in.
 */
async function commit(mongo: Mongo, session: ClientSession, deadline: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await spanOf(mongo, 'commitTransaction', () => session.commitTransaction());
    } catch (error) {
      const isUnknown =
        isLabelled(error, 'UnknownTransactionCommitResult') || isLabelled(error, 'SystemOverloadedError');
      if (isServerError(error) && !isUnknown) throw error;
      if (Date.now() >= deadline) throw new ServiceError('deadline_exceeded', undefined, { cause: error });
      await delay(pauseBehind(attempt));
    }
  }
}

/** A lost connection has the label as well, but another run would only wait for the server once more. */
const isConflict = (error: unknown) => isServerError(error) && isLabelled(error, 'TransientTransactionError');
