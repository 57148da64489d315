import { defaultDetails } from './error-details.ts';

/**
 * The closed list of error codes. The gateway maps each `kind` to an HTTP status. `title` is the same for every
 * occurrence (RFC 9457, section 3.1.3).
 */
export const errorCodes = {
  malformed_json: { kind: 'unparsable', title: 'The body is not a JSON object that can be read' },
  malformed_multipart: { kind: 'unparsable', title: 'The body is not multipart/form-data that can be read' },
  invalid_parameter: { kind: 'unparsable', title: 'A path or query parameter is invalid' },
  method_override: { kind: 'unparsable', title: 'X-HTTP-Method-Override must be PUT or DELETE' },
  invalid_header: { kind: 'unparsable', title: 'A request header is invalid' },
  bad_request: { kind: 'unparsable', title: 'The request is not valid HTTP for this service' },
  unauthenticated: { kind: 'unauthenticated', title: 'The API keys are missing or invalid' },
  scope_missing: { kind: 'forbidden', title: 'The consumer key does not carry the scope' },
  company_forbidden: { kind: 'forbidden', title: 'The keys do not grant this company' },
  system_category: { kind: 'forbidden', title: 'System categories are read-only' },
  path_not_found: { kind: 'notFound', title: 'Unknown path' },
  job_not_found: { kind: 'notFound', title: 'No such job' },
  category_not_found: { kind: 'notFound', title: 'No such job category' },
  company_not_found: { kind: 'notFound', title: 'No such company' },
  key_not_found: { kind: 'notFound', title: 'No such key' },
  link_not_found: { kind: 'notFound', title: 'No such short link' },
  application_not_found: { kind: 'notFound', title: 'No such application' },
  sync_not_found: { kind: 'notFound', title: 'No such sync' },
  webhook_not_found: { kind: 'notFound', title: 'No such webhook' },
  file_not_found: { kind: 'notFound', title: 'No such file' },
  method_not_allowed: { kind: 'methodNotAllowed', title: 'The method is not supported at this path' },
  cursor_expired: { kind: 'gone', title: 'The cursor is older than the change log' },
  reference_id_taken: { kind: 'conflict', title: 'The referenceId is already used by another job' },
  category_assigned: { kind: 'conflict', title: 'The category is assigned to a job' },
  category_name_taken: { kind: 'conflict', title: 'A category of this name already exists' },
  category_limit: { kind: 'conflict', title: 'The company has as many custom categories as it may have' },
  webhook_limit: { kind: 'conflict', title: 'The company has as many webhooks as it may have' },
  company_name_taken: { kind: 'conflict', title: 'A company of this name already exists' },
  company_not_empty: { kind: 'conflict', title: 'The company still has jobs or applications' },
  job_not_open: { kind: 'conflict', title: 'The job is not Published' },
  applications_not_collected: { kind: 'conflict', title: 'The job sends applicants to its applicationUrl' },
  file_not_scanned: { kind: 'conflict', title: 'The file has not been scanned for viruses yet' },
  sync_ended: { kind: 'conflict', title: 'The sync is committed or expired' },
  sync_refused: { kind: 'conflict', title: 'The sync does not have what the commit expects' },
  rotation_in_progress: { kind: 'conflict', title: 'The key already has two live secrets' },
  idempotency_key_in_flight: {
    kind: 'conflict',
    title: 'A request with this Idempotency-Key is still being handled',
  },
  version_mismatch: { kind: 'preconditionFailed', title: 'The job is not at the version given by If-Match' },
  body_too_large: { kind: 'tooLarge', title: 'The body is too large' },
  description_too_large: { kind: 'tooLarge', title: 'The description is too large once encoded' },
  unsupported_media_type: { kind: 'unsupportedMediaType', title: 'The media type is not supported' },
  validation_failed: { kind: 'invalid', title: 'The request breaks one or more rules' },
  idempotency_key_reused: { kind: 'invalid', title: 'The Idempotency-Key was used with another request' },
  rate_limited: { kind: 'rateLimited', title: 'Too many requests' },
  consumer_concurrency: { kind: 'rateLimited', title: 'Too many concurrent requests of one client' },
  overloaded: { kind: 'unavailable', title: 'The service is at its limit' },
  unavailable: { kind: 'unavailable', title: 'A dependency is unavailable' },
  deadline_exceeded: { kind: 'timeout', title: 'No reply in time; the outcome is unknown' },
  internal: { kind: 'internal', title: 'Something went wrong on our side' },
} as const satisfies Record<string, { kind: string; title: string }>;

/** The closed list of reasons for 429, 503 and 504, in body, log and metric. The runbook has a row for each. */
export const reasons = {
  consumer_concurrency: 'The client has its share of concurrent requests, or of large bodies and answers.',
  gateway_concurrency: 'The gateway is at its limit of concurrent requests.',
  gateway_memory: 'The gateway is at its memory limit for bodies and answers.',
  service_concurrency: 'The service is at its limit of concurrent requests.',
  service_memory: 'The service is at its memory limit for bodies and replies.',
  bus_away: 'The message bus is unavailable.',
  bus_backlog: 'Too many requests wait for a reply from the bus.',
  bus_permission: 'The bus does not permit this request.',
  no_responder: 'No replica of the service is running.',
  database_away: 'The database is unavailable.',
  database_overloaded: 'The database is overloaded.',
  contention: 'Too many concurrent writes change the same data.',
  transitions_pending: 'Too many status changes are due; the list is not ready yet.',
  metrics_backlog: 'Too many events wait to be counted.',
  stopping: 'The service is stopping.',
  deadline: 'There was no reply in time.',
  reply_lost: 'The connection broke before the reply arrived.',
  write_volume: 'The consumer key has written as many bytes as it may in a day.',
} as const satisfies Record<string, string>;
export type Reason = keyof typeof reasons;

export type ErrorCode = keyof typeof errorCodes;
const details: Readonly<Record<ErrorCode, string>> = defaultDetails;
export type ErrorKind = (typeof errorCodes)[ErrorCode]['kind'];

/** Codes of single violations inside an error, with their meanings. */
export const violationMeanings = {
  required: 'A property, parameter or part that must be there is missing.',
  not_null: 'The value must not be null.',
  type: 'The value has another JSON type than it must have, or is no number where one is expected.',
  too_short: 'The text has fewer characters than it must have.',
  too_long: 'The text has more characters, or the data more bytes, than allowed.',
  too_many: 'The list has more elements than allowed.',
  too_few: 'The list has fewer elements than it must have.',
  out_of_range: 'The number is smaller or larger than allowed.',
  not_allowed: 'The value is not one of those that are allowed here, with these keys.',
  blank: 'The text has no visible character.',
  invalid_characters: 'The text has control characters, or half of a surrogate pair.',
  invalid_date:
    'The text is not a date (YYYY-MM-DD) or date-time that exists, or is out of the years accepted.',
  invalid_email: 'The text is not an e-mail address.',
  invalid_url: 'The text is not an absolute http or https address.',
  invalid_value: 'The value has the right type, but cannot be used.',
  repeated: 'The value occurs twice, or another resource has it.',
  unknown_id: 'Nothing has this id, or the keys do not grant it.',
  mismatch: 'The value contradicts another one, in the request or in what is stored.',
  immutable: 'The value cannot be changed after creation.',
  html_tag: 'The HTML has an element that is not allowed.',
  html_attribute: 'The HTML has an attribute, or a value of one, that is not allowed.',
  html_syntax: 'The HTML cannot be read at this line and column.',
  file_type: 'The bytes are not of a file type that is accepted.',
} as const;
export type ViolationCode = keyof typeof violationMeanings;
export const violationCodes = Object.keys(violationMeanings) as readonly ViolationCode[];

/** Where and how a request breaks a rule. `pointer` is a JSON Pointer as URI fragment, "#/categories/5". */
export interface Violation {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly code: ViolationCode;
  readonly detail: string;
}

/** Codes of warnings, with their meanings. */
export const warningMeanings = {
  unknown_field: 'A property or parameter has a name that the service does not know; it was ignored.',
  category_created: 'No category had this name, so one was created for the company.',
  status_derived: 'The status follows from the dates, and differs from the one that was sent.',
  close_date_changed: 'closeDate was adjusted because it contradicted the status that was sent.',
  publish_date_changed: 'publishDate was adjusted because it contradicted the status that was sent.',
  html_encoded: 'The description is text, so its < and > were encoded.',
  html_unbalanced: 'The HTML has an end tag that closes nothing, or an element that is left open.',
} as const;
export type WarningCode = keyof typeof warningMeanings;
export const warningCodes = Object.keys(warningMeanings) as readonly WarningCode[];

/** A remark on a request that succeeded. */
export interface Warning {
  readonly code: WarningCode;
  readonly detail: string;
  readonly pointer?: string;
  readonly parameter?: string;
}

/** The existing resource that causes a conflict, and the properties of it that do. */
export interface Conflict {
  readonly resource: 'job' | 'category';
  readonly id: number;
  readonly status?: { readonly id: number; readonly name: string };
  readonly applicationUrl?: string | null;
}

/** The payload of an error reply. `detail` is safe to show; the cause stays in the log. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors?: readonly Violation[];
  readonly conflict?: Conflict;
  /** The company whose jobs are to be read again. */
  readonly snapshot?: { readonly companyId: number };
  readonly retryAfterSeconds?: number;
  readonly reason?: Reason;
}

/** The maximum number of violations and of warnings in one answer (API decisions, "Errors" and "Warnings"). */
export const LISTED_AT_MOST = 50;

/** An error that a caller may see. It crosses the bus as `ErrorBody`, and the caller's side throws it again. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly Violation[];
  readonly conflict: Conflict | undefined;
  readonly snapshot: ErrorBody['snapshot'];
  readonly retryAfterSeconds: number | undefined;
  /** Set for the kinds `unavailable` and `timeout`, and for `rateLimited` where another limit than the rate is reached. */
  readonly reason: Reason | undefined;

  constructor(code: ErrorCode, detail: string = details[code], more: ErrorDetails = {}) {
    super(detail, more.cause === undefined ? {} : { cause: more.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.errors = more.errors ?? [];
    this.conflict = more.conflict;
    this.snapshot = more.snapshot;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.reason = more.reason;
  }
}

interface ErrorDetails {
  readonly errors?: readonly Violation[];
  readonly conflict?: Conflict | undefined;
  readonly snapshot?: ErrorBody['snapshot'];
  readonly retryAfterSeconds?: number | undefined;
  readonly reason?: Reason | undefined;
  readonly cause?: unknown;
}

/** A limit is reached. The request was not executed; retry in a second. */
export const overloaded = (reason: Reason, detail: string = reasons[reason], cause?: unknown): ServiceError =>
  new ServiceError('overloaded', detail, { reason, cause, retryAfterSeconds: 1 });

/** A dependency is unavailable. The request was not executed; retry in a second. */
export const unavailable = (
  reason: Reason,
  detail: string = reasons[reason],
  cause?: unknown,
): ServiceError => new ServiceError('unavailable', detail, { reason, cause, retryAfterSeconds: 1 });

/** The outcome is unknown. Retry with the same Idempotency-Key. */
export const deadlineExceeded = (reason: Reason = 'deadline', cause?: unknown): ServiceError =>
  new ServiceError('deadline_exceeded', undefined, { reason, cause });

/** Whether the error means that the request was not executed, as every 503 does. */
export const isNotExecuted = (error: unknown): boolean =>
  error instanceof ServiceError && errorCodes[error.code].kind === 'unavailable';

/** Throws `validation_failed` (422) with all violations, if there are any. */
export function refuseInvalid(violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  throw new ServiceError('validation_failed', countText(violations.length), { errors: violations });
}

function countText(violations: number): string {
  if (violations > LISTED_AT_MOST) {
    return `More than ${LISTED_AT_MOST} rules are broken; "errors" lists the first ${LISTED_AT_MOST}.`;
  }
  return `${violations === 1 ? 'One rule is' : `${violations} rules are`} broken; see "errors".`;
}
