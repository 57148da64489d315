import type { ErrorBody, Paging, Principal, Warning } from '@joblisting/contracts';
import type { Msg } from 'nats';
import { HeaderLines, headerOf, headerText } from './header-lines.ts';

/** What a reply says besides its bytes: `created` and `deleted` differ from `ok` for whoever speaks HTTP. */
export type Outcome = 'ok' | 'created' | 'deleted';

/** Who asks, for how long, and as part of what. `deadline` is in epoch milliseconds. */
export interface CallContext {
  readonly requestId: string;
  readonly deadline: number;
  readonly principal?: Principal | undefined;
  readonly traceparent?: string | undefined;
  /** The client's Idempotency-Key, as it was sent. */
  readonly idempotencyKey?: string | undefined;
}

/** A request as it arrived: `params` is still to be checked, `body` still to be parsed. */
export interface RawRequest extends CallContext {
  readonly params: unknown;
  readonly body: Uint8Array;
}

/** What an answer carries besides its data. `id` names a created resource, `version` dates it. */
export interface ReplyMeta {
  readonly outcome: Outcome;
  readonly version?: number | undefined;
  readonly id?: number | undefined;
  readonly warnings?: readonly Warning[] | undefined;
  readonly paging?: Paging | undefined;
  /** True where it is the kept answer to an earlier request with the same Idempotency-Key. */
  readonly replayed?: boolean | undefined;
}

/** A reply whose payload is the bytes of its `data`, not parsed. */
export interface RawReply extends ReplyMeta {
  readonly data: Uint8Array;
}

/** Header of requests and events alike (W3C Trace Context, section 3.2). */
export const traceparentHeader = headerOf('traceparent');

const META = 'Reply';
const header = {
  requestId: headerOf('Request-Id'),
  deadline: headerOf('Deadline'),
  principal: headerOf('Principal'),
  traceparent: traceparentHeader,
  idempotencyKey: headerOf('Idempotency-Key'),
  params: headerOf('Params'),
  error: headerOf('Error'),
  meta: headerOf(META),
};

const MORE_THAN_ASCII = /[\u0080-\uffff]/g;

/** JSON in ASCII: a header value must not depend on how either side decodes it. */
function asciiJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (json.search(MORE_THAN_ASCII) < 0) return json;
  return json.replaceAll(MORE_THAN_ASCII, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** No caller keeps a service at one request for longer, whatever deadline it sends, or none. */
const LONGEST_CALL_MS = 60_000;

/** Who asks is the same object for as long as the asker remembers it, and costs a tenth of the asking to encode. */
const encodedPrincipals = new WeakMap<Principal, string>();

function encodePrincipal(principal: Principal): string {
  const known = encodedPrincipals.get(principal);
  if (known !== undefined) return known;
  const encoded = asciiJson(principal);
  encodedPrincipals.set(principal, encoded);
  return encoded;
}

const MOST_KNOWN = 1000;

/**
 * Reads JSON of a header that is often the same, as one frozen object for all of the same text: to parse it takes 4 µs
 * where the code is cold. What is longer than `longest` characters is read each time.
 */
function knownJson<T extends object>(longest: number, freeze: (value: T) => void): (encoded: string) => T {
  const values = new Map<string, T>();
  return (encoded) => {
    const known = values.get(encoded);
    if (known) return known;
    const value = JSON.parse(encoded) as T;
    if (encoded.length > longest) return value;
    freeze(value);
    if (values.size >= MOST_KNOWN) values.clear();
    // A copy: a part of the headers would keep all of them. What is no Latin text would become another one.
    const key = Buffer.from(encoded, 'latin1').toString('latin1');
    if (key === encoded) values.set(key, value);
    return value;
  };
}

/** One with hundreds of companies is longer. */
const decodePrincipal = knownJson<Principal>(2000, (principal) => {
  for (const shared of [principal, principal.scopes, principal.companyIds]) Object.freeze(shared);
});

/** What most replies say is shorter: an outcome, a version, and no warnings. Ids and pages are hardly ever the same. */
const decodeMeta = knownJson<ReplyMeta>(50, (meta) => {
  Object.freeze(meta);
  Object.freeze(meta.warnings);
});

export function encodeRequest(context: CallContext, params: unknown): HeaderLines {
  const { requestId, deadline, principal, traceparent, idempotencyKey } = context;
  return new HeaderLines(
    header.requestId.line(requestId) +
      header.deadline.line(String(deadline)) +
      header.params.line(asciiJson(params)) +
      header.principal.lineIfAny(principal && encodePrincipal(principal)) +
      header.traceparent.lineIfAny(traceparent || undefined) +
      header.idempotencyKey.lineIfAny(idempotencyKey || undefined),
  );
}

/** Throws SyntaxError where a header is not what `encodeRequest` writes. */
export function decodeRequest(message: Msg): RawRequest {
  const headers = headerText(message);
  const principal = header.principal.valueIn(headers);
  const deadline = Number(header.deadline.valueIn(headers));
  return {
    requestId: header.requestId.valueIn(headers) || 'none',
    deadline: Math.min(deadline > 0 ? deadline : Number.POSITIVE_INFINITY, Date.now() + LONGEST_CALL_MS),
    principal: principal ? decodePrincipal(principal) : undefined,
    traceparent: header.traceparent.valueIn(headers) || undefined,
    idempotencyKey: header.idempotencyKey.valueIn(headers) || undefined,
    params: JSON.parse(header.params.valueIn(headers) || '{}'),
    body: message.data,
  };
}

export function encodeReply(meta: ReplyMeta): HeaderLines {
  const { outcome, version, id, warnings, paging, replayed } = meta;
  return new HeaderLines(header.meta.line(asciiJson({ outcome, version, id, warnings, paging, replayed })));
}

export const encodeRefusal = (error: ErrorBody): HeaderLines =>
  new HeaderLines(header.error.line(error.code));

/** The reply's meta data, or the refusal in its stead. Throws where it is neither: what came of the request is unknown. */
export function decodeReply(message: Msg): { meta: ReplyMeta } | { refusal: ErrorBody } {
  const headers = headerText(message);
  if (header.error.valueIn(headers)) return { refusal: message.json<ErrorBody>() };
  const meta = header.meta.valueIn(headers);
  if (!meta) throw new Error(`a reply without the header ${META}`);
  return { meta: decodeMeta(meta) };
}
