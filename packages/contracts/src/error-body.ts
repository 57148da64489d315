import { type ErrorBody, errorCodes, LISTED_AT_MOST, reasons, ServiceError } from './errors.ts';

/** Converts an error for the bus: at most `LISTED_AT_MOST` violations, no cause, no stack. */
export function toErrorBody(error: ServiceError): ErrorBody {
  return {
    code: error.code,
    detail: error.message,
    ...(error.errors.length > 0 && { errors: error.errors.slice(0, LISTED_AT_MOST) }),
    ...(error.conflict && { conflict: error.conflict }),
    ...(error.snapshot && { snapshot: error.snapshot }),
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    ...(error.reason && { reason: error.reason }),
  };
}

/** Converts an error reply of the bus back. */
export function fromErrorBody(body: ErrorBody): ServiceError {
  const code = Object.hasOwn(errorCodes, body.code) ? body.code : 'internal';
  return new ServiceError(code, body.detail, {
    errors: body.errors ?? [],
    conflict: body.conflict,
    snapshot: body.snapshot,
    retryAfterSeconds: body.retryAfterSeconds,
    reason: body.reason && Object.hasOwn(reasons, body.reason) ? body.reason : undefined,
  });
}
