import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '@joblisting/contracts';
import type { ClientSession } from 'mongoose';
import {
  databaseAway,
  isDuplicateKey,
  isLabelled,
  isServerError,
  refusalOfDatabaseError,
} from './database-errors.ts';
import { driver } from './driver.ts';
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
 * Rejects with `unavailable` where the database is away and nothing is done, with `deadline_exceeded` past the
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
          throw notCommitted(error);
        }
      }
      await delay(Math.random() * Math.min(FIRST_PAUSE_MS * 1.5 ** run, LONGEST_PAUSE_MS));
    }
  } finally {
    await session.endSession();
  }
}

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
 * not: an error on the way there does not even say whether an earlier attempt of the driver has arrived.
 */
async function commit(mongo: Mongo, session: ClientSession, deadline: number): Promise<void> {
  for (;;) {
    try {
      return await spanOf(mongo, 'commitTransaction', () => session.commitTransaction());
    } catch (error) {
      const isUnknown = isLabelled(error, driver().MongoErrorLabel.UnknownTransactionCommitResult);
      if (isServerError(error) && !isUnknown) throw error;
      if (Date.now() >= deadline) throw new ServiceError('deadline_exceeded', undefined, { cause: error });
      await delay(FIRST_PAUSE_MS);
    }
  }
}

/** A lost connection has the label as well, but another run would only wait for the server once more. */
const isConflict = (error: unknown) =>
  isServerError(error) && isLabelled(error, driver().MongoErrorLabel.TransientTransactionError);

/** Nothing of a transaction that never came to its commit is done, whatever the network says. */
function notCommitted(error: unknown): unknown {
  if (error instanceof ServiceError || !(refusalOfDatabaseError(error) instanceof ServiceError)) return error;
  return databaseAway(error);
}
