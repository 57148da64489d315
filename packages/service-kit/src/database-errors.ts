import { ServiceError } from '@joblisting/contracts';
import type { mongo } from 'mongoose';
import { knownDriver } from './driver.ts';

/** What the driver passes on as it is where a socket breaks while it takes a command. */
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

/**
 * Answers of a server that is not the primary (yet, or any more), or lost what a read was going through when it was
 * started again. With those below they are the codes that the drivers' specification calls retryable
 * ("Retryable Reads"), and those of cursors and snapshots.
 */
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

/** Answers of a server that has broken the command off. */
const brokenOffCodes = new Set<unknown>([
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

/** A server that has too much to do has not let the command in: IngressRequestRateLimitExceeded (MongoDB 8.2). */
const NOT_LET_IN = 462;

/** An answer of the server. */
export function isServerError(error: unknown): error is mongo.MongoServerError {
  const driver = knownDriver();
  return driver !== undefined && error instanceof driver.MongoServerError;
}

/** What came of a statement with several writes. */
export function isBulkError(error: unknown): error is mongo.MongoBulkWriteError {
  const driver = knownDriver();
  return driver !== undefined && error instanceof driver.MongoBulkWriteError;
}

/** The labels that the driver and the server put on errors. */
type Label = keyof typeof mongo.MongoErrorLabel;

export function isLabelled(error: unknown, label: Label): boolean {
  const driver = knownDriver();
  return driver !== undefined && error instanceof driver.MongoError && error.hasErrorLabel(label);
}

/** True where a unique index refused a write, alone or in a bulk. */
export const isDuplicateKey = (error: unknown): boolean =>
  isServerError(error) && error.code === DUPLICATE_KEY;

/** Whether a read may well succeed if it is sent again at once ("Retryable Reads"). */
export function isRetryableRead(error: unknown): boolean {
  if (isServerError(error)) return refusedCodes.has(error.code) || brokenOffCodes.has(error.code);
  const driver = knownDriver();
  return driver !== undefined && error instanceof driver.MongoNetworkError;
}

/**
 * What a caller is told of a database that is away, or has too much to do: `unavailable` or `overloaded` where nothing
 * was done, `deadline_exceeded` where that is not known (promise: 503 means not executed). Any other error stays what it
 * is.
 */
export function refusalOfDatabaseError(error: unknown): unknown {
  if (!Error.isError(error)) return error;
  const cause = beneathBulk(error);
  const { name } = cause;
  if (brokenSocketCodes.has((error as NodeJS.ErrnoException).code)) return unknown(error);
  const code = isServerError(error) ? error.code : undefined;
  const isNotSent = notSent.has(name) || hadNoConnection(cause);
  if (unknownOutcome.has(name) && !isNotSent) return unknown(error);
  // Of a bulk, earlier writes may be done even where the last one was not.
  if (isNotSent || refusedCodes.has(code)) return isBulkError(error) ? unknown(error) : databaseAway(error);
  if (code === NOT_LET_IN) return isBulkError(error) ? unknown(error) : databaseOverloaded(error);
  const isBrokenOff = brokenOffCodes.has(code) || isLabelled(cause, 'SystemOverloadedError');
  return isBrokenOff ? unknown(error) : error;
}

/** What is refused of a transaction that never came to its commit: nothing of it is done, whatever the network says. */
export function refusalOfUncommitted(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const refusal = refusalOfDatabaseError(error);
  const isUnknown = refusal instanceof ServiceError && refusal.code === 'deadline_exceeded';
  return isUnknown ? databaseAway(error) : refusal;
}

/** The command was not sent: its connection broke while it was made, which the driver takes for a sign of overload. */
const hadNoConnection = (error: Error): boolean =>
  !isServerError(error) &&
  (isLabelled(error, 'HandshakeError') || isLabelled(error, 'SystemOverloadedError'));

const unknown = (cause: Error): ServiceError => new ServiceError('deadline_exceeded', undefined, { cause });

/** A bulk write wraps what the connection threw, under its own name. */
function beneathBulk(error: Error): Error {
  const wrapped: unknown = isBulkError(error) ? error.errorResponse : undefined;
  return Error.isError(wrapped) ? wrapped : error;
}

const databaseOverloaded = (cause: Error): ServiceError =>
  new ServiceError('overloaded', 'The database has too much to do.', { cause, retryAfterSeconds: 1 });

/** The refusal where nothing was done. */
export const databaseAway = (cause: unknown): ServiceError =>
  new ServiceError('unavailable', 'The database is away.', { cause, retryAfterSeconds: 1 });
