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
    this.attempts = details.attempts;
  }
}

const describe = ({ pointer, parameter, header, detail }: Violation): string =>
  `${pointer ?? parameter ?? header ?? 'request'}: ${detail}`;

/** Reads an error answer. Something in front of the API may have sent it in another form. */
export function refused(response: Response, text: string, attempts: number): JobListingError {
  const { status, headers } = response;
  const { code, title, detail, errors, reason, conflict, requestId } = parsed(text);
  return new JobListingError({
    detail: detail ?? title ?? `Status ${status}.`,
    status,
    code: code ?? `http_${status}`,
    attempts,
    reason,
    violations: errors,
    conflict,
    requestId: requestId ?? headers.get('request-id') ?? undefined,
    retryAfter: secondsOf(headers.get('retry-after')),
  });
}

function parsed(text: string): Partial<Problem> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** The API sends seconds. A date, which something in front of it may send, counts as none. */
function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
}

/** Failures of a connection that another attempt may not meet; not an unknown host or a certificate. */
const LOST = new Set([
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
export function unanswered(failure: unknown, timeoutMs: number, attempts: number): JobListingError {
  const { name, message, cause } = failure as Error;
  if (name === 'TimeoutError')
    return new JobListingError(
      { detail: `No answer within ${timeoutMs} ms.`, status: 0, code: 'timeout', attempts },
      { cause: failure },
    );
  const { code = '', message: why } = (cause ?? {}) as NodeJS.ErrnoException;
  return new JobListingError(
    {
      detail: `The service cannot be reached: ${why || code || message}.`,
      status: 0,
      code: LOST.has(code) ? 'connection_lost' : 'connection_failed',
      attempts,
    },
    { cause: failure },
  );
}
