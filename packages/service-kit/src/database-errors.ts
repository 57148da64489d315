import { deadlineExceeded, overloaded, ServiceError, unavailable } from '@joblisting/contracts';

/** The database answers and rejects this user. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}

/** An error of the driver, recognised by its name: a service without a database does not load the driver's classes. */
interface DatabaseError extends Error {
  readonly code?: unknown;
  /** The cause that ended a bulk write: an answer of the server, or an error of the connection. */
  readonly errorResponse?: unknown;
  readonly hasErrorLabel?: (label: string) => boolean;
}

const serverErrors = new Set(['MongoServerError', 'MongoBulkWriteError', 'MongoWriteConcernError']);

/** Errors of a socket that breaks while it takes a command. The driver passes them on unchanged. */
const brokenSocketCodes = new Set<unknown>([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** The driver gave up before it sent anything. */
const notSent = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
]);

/** The connection broke, or time ran out, when the command may have been under way. */
const unknownOutcome = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'PoolClearedOnNetworkError',
  'MongoOperationTimeoutError',
  'MongoWriteConcernError',
]);

/** Answers of a server that did nothing: it is not the primary, or lost the cursor or snapshot of a read. */
const refusedCodes = new Set<unknown>([
  43, // CursorNotFound
  134, // ReadConcernMajorityNotAvailableYet
  237, // CursorKilled
  239, // SnapshotTooOld
  246, // SnapshotUnavailable
  10_058, // LegacyNotPrimary
  10_107, // NotWritablePrimary
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
]);

/** Answers of a server that stopped in the middle of the command. */
const interruptedCodes = new Set<unknown>([
  6, // HostUnreachable
  7, // HostNotFound
  89, // NetworkTimeout
  91, // ShutdownInProgress
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9001, // SocketException
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
]);

const DUPLICATE_KEY = 11_000;

/** IngressRequestRateLimitExceeded: a busy server (MongoDB 8.2) rejected the command. */
const RATE_LIMITED = 462;

/** An answer of the server. */
export const isServerError = (error: unknown): error is DatabaseError =>
  Error.isError(error) && serverErrors.has(error.name);

const isBulkError = (error: DatabaseError): boolean => error.name === 'MongoBulkWriteError';

export const isLabelled = (error: unknown, label: string): boolean =>
  Error.isError(error) && ((error as DatabaseError).hasErrorLabel?.(label) ?? false);

const isOverload = (error: DatabaseError): boolean => isLabelled(error, 'SystemOverloadedError');

/** True if a unique index refused a write, alone or in a bulk. */
export const isDuplicateKey = (error: unknown): boolean =>
  isServerError(error) && error.code === DUPLICATE_KEY;

/**
 * Converts an error of an unavailable or overloaded database: 503 if nothing was done, 504 if that is unknown. Returns
 * any other error unchanged.
 */
export function refusalOfDatabaseError(error: unknown): unknown {
  if (!Error.isError(error)) return error;
  const cause = causeOf(error);
  const code = isServerError(cause) ? cause.code : undefined;
  if (brokenSocketCodes.has((error as DatabaseError).code)) return outcomeUnknown(error);
  const isNotSent = notSent.has(cause.name) || hadNoConnection(cause);
  if (unknownOutcome.has(cause.name) && !isNotSent) return outcomeUnknown(error);
  if (isNotSent || refusedCodes.has(code) || code === RATE_LIMITED) {
    // Earlier writes of the bulk may be done.
    if (isBulkError(error)) return outcomeUnknown(error);
    return code === RATE_LIMITED
      ? overloaded('database_overloaded', undefined, error)
      : unavailable('database_away', undefined, error);
  }
  return interruptedCodes.has(code) || isOverload(cause) ? outcomeUnknown(error) : error;
}

/** The same for a transaction before its commit: nothing of it is done, whatever the network says. */
export function refusalOfUncommitted(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const refusal = refusalOfDatabaseError(error);
  const isUnknown = refusal instanceof ServiceError && refusal.code === 'deadline_exceeded';
  return isUnknown ? unavailable(refusal.reason ?? 'database_away', undefined, error) : refusal;
}

/** The connection broke in its handshake, which the driver labels as overload. Nothing was sent. */
const hadNoConnection = (error: DatabaseError): boolean =>
  !isServerError(error) && (isLabelled(error, 'HandshakeError') || isOverload(error));

const outcomeUnknown = (error: DatabaseError): ServiceError =>
  deadlineExceeded(isOverload(causeOf(error)) ? 'database_overloaded' : 'database_away', error);

/** A bulk write wraps what the connection threw, under its own name. */
function causeOf(error: DatabaseError): DatabaseError {
  const wrapped = isBulkError(error) ? error.errorResponse : undefined;
  return Error.isError(wrapped) ? wrapped : error;
}
