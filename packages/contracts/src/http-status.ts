import { type ErrorCode, errorCodes, type ErrorKind } from './errors.ts';

/** The one place where a kind of refusal becomes a status (API decisions, "Statuses"). */
const statuses: Readonly<Record<ErrorKind, number>> = {
  unparsable: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  gone: 410,
  preconditionFailed: 412,
  tooLarge: 413,
  unsupportedMediaType: 415,
  invalid: 422,
  rateLimited: 429,
  internal: 500,
  unavailable: 503,
  timeout: 504,
};

/** The status of an answer with this error, or of an item of a batch. */
export const statusOf = (code: ErrorCode): number => statuses[errorCodes[code].kind];
