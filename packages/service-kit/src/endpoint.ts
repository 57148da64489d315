import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CallContext,
  type Endpoint,
  jsonBytes,
  type RawReply,
  type RawRequest,
  type ReplyMeta,
} from '@joblisting/bus';
import {
  type BodyOf,
  deadlineExceeded,
  LISTED_AT_MOST,
  type Operation,
  type ParamsOf,
  type Reason,
  refuseInvalid,
  type ReplyOf,
  type Scope,
  ServiceError,
  type Violation,
  type Warning,
} from '@joblisting/contracts';
import { semaphore, withTimeout } from './batching.ts';
import { refusalOfDatabaseError } from './database-errors.ts';
import {
  KEPT_MS,
  type KeyDigests,
  type KeptAnswer,
  type KeptAnswers,
  onceForEachKey,
  type RequestIdentity,
} from './idempotency.ts';
import { type Log, requestLog } from './log.ts';
import { parseJsonObject } from './json-body.ts';
import { compileBody, compileParams } from './shape.ts';
import { traceIdOf } from './telemetry/trace-parent.ts';

/**
 * A checked request. `violations` is empty except for operations that collect them. `warnings` holds the unknown
 * fields; a handler adds its own. `context` goes with calls to other services.
 */
export interface Request<O extends Operation> {
  readonly params: ParamsOf<O>;
  readonly body: BodyOf<O>;
  readonly violations: readonly Violation[];
  readonly warnings: Warning[];
  readonly context: CallContext;
  /**
   * Set if the request carries an Idempotency-Key: creates the answer to store in the same write as the effect. All
   * warnings must be there by then.
   * @param now epoch milliseconds
   */
  readonly keep: Keep<O> | undefined;
  /** Adds fields to the request's line of the log: ids, never names or secrets. */
  readonly note: (fields: LineFields) => void;
}

export type LineFields = Readonly<Record<string, string | number | undefined>>;

export interface Keep<O extends Operation> {
  (result: Result<O>, now: number): KeptAnswer;
  /** The key that the answer will have. */
  readonly key: string;
}

/** A handler's answer: `data` as a value, or as bytes that are serialised already. */
export interface Result<O extends Operation> extends Omit<Partial<ReplyMeta>, 'warnings'> {
  readonly data?: ReplyOf<O> | Uint8Array;
}

export type Handler<O extends Operation> = (request: Request<O>) => Promise<Result<O>>;

/** How a body other than one JSON object is read, for operations that take other formats. May return a promise. */
export type BodyReader = (bytes: Uint8Array, params: unknown) => unknown;

export interface EndpointOptions {
  readonly readBody?: BodyReader;
  /** For operations that take an Idempotency-Key; without it the key is ignored. */
  readonly kept?: KeptAnswers;
  readonly identity?: Partial<RequestIdentity>;
}

/** Parsing a body of this size takes milliseconds. */
const LARGE_BODY_BYTES = 64 * 1024;
/** Reads one large body at a time in this process, so that other requests are served in between. */
const largeBodies = semaphore(1);

const NOTHING = new Uint8Array();

/**
 * Binds a handler to its operation. Checks params and body against the contract, so that the service is safe against
 * any caller, not only the gateway.
 */
export function endpoint<O extends Operation>(
  operation: O,
  handler: Handler<O>,
  log: Log,
  { readBody = parseJsonObject, kept, identity }: EndpointOptions = {},
): Endpoint {
  const noted = new WeakMap<RawRequest, LineFields>();
  const checkParams = compileParams(operation.params);
  const checker = operation.body && compileBody(operation.body);

  const read = ({ body: bytes, params }: RawRequest): unknown =>
    checker || bytes.length > 0 ? readBody(bytes, params) : undefined;

  const checkNow = (sent: unknown) => {
    const body = checker && sent;
    const violations = checker ? checker.check(body) : [];
    if (!operation.collectsViolations) refuseInvalid(violations);
    return { body, violations, warnings: checker ? checker.unknownFields(body) : [] };
  };

  const check = async (raw: RawRequest) => {
    if (raw.body.length < LARGE_BODY_BYTES) return checkNow(await read(raw));
    return largeBodies(async () => {
      await nextTurn();
      if (Date.now() >= raw.deadline) throw deadlineExceeded();
      const sent = await withTimeout(Promise.resolve(read(raw)), raw.deadline - Date.now());
      await nextTurn();
      return checkNow(sent);
    });
  };

  const handle = async (raw: RawRequest, keyed?: KeyDigests): Promise<RawReply> => {
    const badParams = checkParams(raw.params);
    if (badParams.length > 0) throw new ServiceError('invalid_parameter', undefined, { errors: badParams });
    const { body, violations, warnings } = await check(raw);
    const { requestId, deadline, principal, traceparent } = raw;
    const result = await handler({
      params: raw.params,
      body,
      violations,
      warnings,
      context: { requestId, deadline, principal, traceparent },
      keep: keyed && keepAs(keyed, warnings),
      note: (fields) => void noted.set(raw, { ...noted.get(raw), ...fields }),
    });
    return replyOf(result, warnings);
  };

  const handleKeyed = kept ? onceForEachKey(operation, kept, handle, identity) : handle;

  const lines = requestLog(log, { operation: operation.subject });
  const handleLogged = async (raw: RawRequest): Promise<RawReply> => {
    const startedAt = performance.now();
    let outcome = 'internal';
    let reason: Reason | undefined;
    try {
      const reply = await handleKeyed(raw);
      outcome = reply.outcome;
      return reply;
    } catch (error) {
      const refusal = refusalOfDatabaseError(error);
      if (refusal instanceof ServiceError) ({ code: outcome, reason } = refusal);
      throw refusal;
    } finally {
      if (lines.isLevelEnabled('info')) {
        const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
        lines.info({ ...traceOf(raw), durationMs, outcome, reason, ...noted.get(raw) }, 'handled');
      }
    }
  };

  return { operation, handle: handleLogged };
}

function replyOf<O extends Operation>(result: Result<O>, warnings: readonly Warning[]) {
  const listed = warnings.slice(0, LISTED_AT_MOST);
  return { outcome: 'ok', ...result, warnings: listed, data: bytesOf(result.data) } satisfies RawReply;
}

function keepAs<O extends Operation>(keyed: KeyDigests, warnings: readonly Warning[]): Keep<O> {
  const keep = (result: Result<O>, now: number) => keptAnswer(keyed, replyOf(result, warnings), now);
  return Object.assign(keep, { key: keyed.key });
}

function keptAnswer(
  keyed: KeyDigests,
  { outcome, id, version, data, warnings }: ReturnType<typeof replyOf>,
  now: number,
): KeptAnswer {
  const known = { ...(id !== undefined && { id }), ...(version !== undefined && { version }) };
  return { ...keyed, outcome, ...known, data, warnings, expireAt: new Date(now + KEPT_MS) };
}

/** Request id and trace id as log lines carry them (W3C Trace Context, section 3.2). */
export function traceOf(context: { requestId: string; traceparent?: string | undefined }) {
  return { requestId: context.requestId, traceId: traceIdOf(context.traceparent) };
}

function bytesOf(data: unknown): Uint8Array {
  if (data === undefined) return NOTHING;
  return data instanceof Uint8Array ? data : jsonBytes(data);
}

/** Throws `scope_missing` unless the caller's consumer key carries the scope (API decisions, "Keys"). */
export function requireScope(context: CallContext, scope: Scope): void {
  if (context.principal?.scopes.includes(scope)) return;
  throw new ServiceError('scope_missing', `The consumer key does not carry the scope ${scope}.`);
}

/** Throws `company_forbidden` unless the caller's keys grant the company (API decisions, "Statuses", 403). */
export function requireCompany(
  context: CallContext,
  companyId: number,
  where: { pointer: string } | { parameter: string },
): void {
  if (grantsCompany(context, companyId)) return;
  const detail = `The keys do not grant company ${companyId}.`;
  throw new ServiceError('company_forbidden', detail, {
    errors: [{ ...where, code: 'not_allowed', detail }],
  });
}

export function grantsCompany(context: CallContext, companyId: number): boolean {
  return context.principal?.companyIds.includes(companyId) ?? false;
}
