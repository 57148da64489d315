import { ServiceError } from '@joblisting/contracts';

/** The driver gave up before it sent anything. */
const notSent = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
]);

/** The connection broke, or time ran out, when the command may have been under way. */
const unknownOutcome = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'PoolClearedOnNetworkError',
  'MongoOperationTimeoutError',
]);

/**
 * What a caller is told of a database that is away: `unavailable` where nothing was done, `deadline_exceeded`
 * where that is not known (promise: 503 means not executed). Any other error stays what it is.
 */
export function refusalOfDatabaseError(error: unknown): unknown {
  if (!Error.isError(error)) return error;
  const away = 'The database is away.';
  if (notSent.has(error.name)) {
    return new ServiceError('unavailable', away, { cause: error, retryAfterSeconds: 1 });
  }
  return unknownOutcome.has(error.name)
    ? new ServiceError('deadline_exceeded', undefined, { cause: error })
    : error;
}
