import type { Problem, Violation } from './openapi.ts';

export type Conflict = NonNullable<Problem['conflict']>;

/** What is known of a failed request. */
interface Details {
  /** What is wrong, as a sentence. */
  readonly detail: string;
  readonly status: number;
  readonly code: string;
  readonly attempts: number;
  readonly reason?: string | undefined;
  readonly violations?: readonly Violation[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly conflict?: Conflict | undefined;
  readonly snapshot?: string | undefined;
}

/** The API refused a request, or gave no answer. */
export class JobListingError extends Error {
  override readonly name = 'JobListingError';
  /** What is wrong, as a sentence. The message lists the violations too. */
  readonly detail: string;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** The error code of the API. Without an answer: `timeout`, `connection_lost` or `connection_failed`. */
  readonly code: string;
  /** Of 429, 503 and 504: which limit or dependency it was. */
  readonly reason: string | undefined;
  /** Everything that is wrong with the request, with pointers. */
  readonly violations: readonly Violation[];
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt. */
  readonly retryAfter: number | undefined;
  /** The job or category that stands in the way. */
  readonly conflict: Conflict | undefined;
  /** Of `cursor_expired`: the address where all jobs are read again. */
  readonly snapshot: string | undefined;
  /** How often the request was sent. */
  readonly attempts: number;

  constructor(details: Details, options?: ErrorOptions) {
    super([details.detail, ...(details.violations ?? []).map(describe)].join('\n  '), options);
    this.detail = details.detail;
    this.status = details.status;
    this.code = details.code;
    this.reason = details.reason;
    this.violations = details.violations ?? [];
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.conflict = details.conflict;
    this.snapshot = details.snapshot;
    this.attempts = details.attempts;
  }
}

const describe = ({ pointer, parameter, header, detail }: Violation): string =>
  `${pointer ?? parameter ?? header ?? 'request'}: ${detail}`;

/** The error that an answer tells. Something in front of the API may have sent it in another form. */
export function errorOfAnswer(
  { status, headers }: Response,
  text: string,
  attempts: number,
): JobListingError {
  const { code, title, detail, errors, reason, conflict, snapshot, requestId } = parseProblem(text);
  return new JobListingError({
    detail: detail ?? title ?? `Status ${status}.`,
    status,
    code: code ?? `http_${status}`,
    attempts,
    reason,
    violations: errors,
    conflict,
    snapshot,
    requestId: requestId ?? headers.get('request-id') ?? undefined,
    retryAfter: parseSeconds(headers.get('retry-after')),
  });
}

/** What a problem holds in the right form; the rest is left out. */
function parseProblem(text: string) {
  const fields = parseObject(text) ?? {};
  const textOf = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined);
  const { errors, conflict } = fields;
  return {
    code: textOf('code'),
    title: textOf('title'),
    detail: textOf('detail'),
    reason: textOf('reason'),
    requestId: textOf('requestId'),
    snapshot: textOf('snapshot'),
    errors: Array.isArray(errors) ? errors.filter(isViolation) : undefined,
    conflict: isObject(conflict) ? (conflict as Conflict) : undefined,
  };
}

/** Undefined for a text that is no JSON object. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isViolation = (value: unknown): value is Violation =>
  isObject(value) && typeof value['detail'] === 'string';

/** The API sends seconds. A date, which something in front of it may send, counts as none. */
function parseSeconds(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
}

/** Failures of a connection that another attempt may not meet; not an unknown host or a certificate. */
const RETRYABLE_CODES = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** Explains why `fetch` gave no answer. */
export function errorWithoutAnswer(failure: unknown, limitMs: number, attempts: number): JobListingError {
  const { name, message, cause } = failure as Error;
  if (name === 'TimeoutError')
    return new JobListingError(
      { detail: `No answer within ${limitMs} ms.`, status: 0, code: 'timeout', attempts },
      { cause: failure },
    );
  const { code = '', message: why } = (cause ?? {}) as NodeJS.ErrnoException;
  return new JobListingError(
    {
      detail: `The service cannot be reached: ${why || code || message}.`,
      status: 0,
      code: RETRYABLE_CODES.has(code) ? 'connection_lost' : 'connection_failed',
      attempts,
    },
    { cause: failure },
  );
}
