import {
  type CursorPaging,
  type ErrorBody,
  fromErrorBody,
  type Paging,
  type Principal,
  type Warning,
} from '@joblisting/contracts';
import { headers, type Msg, type MsgHdrs } from 'nats';

/** What a reply says besides its bytes. The gateway gives all but `ok` statuses of their own. */
export type Outcome = 'ok' | 'created' | 'accepted' | 'deleted';

/** Who requests, until when, and as part of which trace. `deadline` is in epoch milliseconds. */
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

/**
 * What an answer carries besides its data. `id` is that of a resource that the request did not name by id, `version` is
 * its version.
 */
export interface ReplyMeta {
  readonly outcome: Outcome;
  readonly version?: number | undefined;
  readonly id?: number | undefined;
  readonly warnings?: readonly Warning[] | undefined;
  readonly paging?: Paging | undefined;
  /** Where a list that is followed goes on. */
  readonly cursor?: CursorPaging | undefined;
  /** True if it is the kept answer to an earlier request with the same Idempotency-Key. */
  readonly replayed?: boolean | undefined;
  /** Set if the data are the bytes of a file instead of a JSON document. */
  readonly file?: { readonly name: string; readonly type: string } | undefined;
}

/** A reply whose payload is the bytes of its `data`, not parsed. */
export interface RawReply extends ReplyMeta {
  readonly data: Uint8Array;
}

/** No caller waits longer, and no service works longer at one request, whatever its deadline says. */
export const LONGEST_CALL_MS = 60_000;

/** The header with all that a message says besides its payload, as one JSON document. */
const ENVELOPE = 'Envelope';
const NON_ASCII = /[\u0080-\uffff]/g;

/** A value as JSON in UTF-8. */
export const jsonBytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** JSON has no line breaks, which the client refuses in a header; in ASCII no decoder can misread it. */
function encode(envelope: object): MsgHdrs {
  const json = JSON.stringify(envelope).replaceAll(
    NON_ASCII,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const result = headers();
  result.set(ENVELOPE, json);
  return result;
}

/** Throws SyntaxError if there is no envelope, or one that is not JSON. */
const decode = (message: Pick<Msg, 'headers'>): unknown => JSON.parse(message.headers?.get(ENVELOPE) ?? '');

export function encodeRequest(context: CallContext, params: unknown): MsgHdrs {
  const { requestId, deadline, principal, traceparent, idempotencyKey } = context;
  return encode({ requestId, deadline, principal, traceparent, idempotencyKey, params });
}

export function decodeRequest(message: Pick<Msg, 'headers' | 'data'>): RawRequest {
  const sent = decode(message) as CallContext & { readonly params: unknown };
  const deadline = Math.min(sent.deadline, Date.now() + LONGEST_CALL_MS);
  return { ...sent, deadline, body: message.data };
}

export function encodeReply(meta: ReplyMeta): MsgHdrs {
  const { outcome, version, id, warnings, paging, cursor, replayed, file } = meta;
  return encode({ outcome, version, id, warnings, paging, cursor, replayed, file });
}

export const encodeError = (error: ErrorBody): MsgHdrs => encode({ error });

/** Throws the ServiceError that was replied; SyntaxError if `server.ts` did not send the reply. */
export function decodeReply(message: Pick<Msg, 'headers' | 'data'>): RawReply {
  const reply = decode(message) as ReplyMeta | { readonly error: ErrorBody };
  if ('error' in reply) throw fromErrorBody(reply.error);
  return { ...reply, data: message.data };
}
