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

/** Who asked last, by what is in the header. */
const principals = new Map<string, Principal>();
const MOST_PRINCIPALS = 1000;
/** Characters of a header. One with hundreds of companies is read each time. */
const LONGEST_KNOWN = 2000;

/** One frozen object for all requests of the same: to parse it takes 4 µs where the code is cold. */
function decodePrincipal(encoded: string): Principal {
  const known = principals.get(encoded);
  if (known) return known;
  const principal = JSON.parse(encoded) as Principal;
  if (encoded.length > LONGEST_KNOWN) return principal;
  for (const shared of [principal, principal.scopes, principal.companyIds]) Object.freeze(shared);
  if (principals.size >= MOST_PRINCIPALS) principals.clear();
  // A copy: a part of the headers would keep all of them.
  principals.set(Buffer.from(encoded, 'latin1').toString('latin1'), principal);
  return principal;
}

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
  return { meta: JSON.parse(meta) as ReplyMeta };
}
