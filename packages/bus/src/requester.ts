import { nextTick } from 'node:process';
import { fromErrorBody, type Operation, overloaded, ServiceError } from '@joblisting/contracts';
import { createInbox, ErrorCode, type Msg, type MsgHdrs, type NatsConnection, NatsError } from 'nats';
import { emptyingMap } from './emptying.ts';
import { isNoResponders } from './header-lines.ts';
import { endOfTurn } from './turns.ts';
import { type CallContext, decodeReply, encodeRequest, type RawReply } from './wire.ts';

interface Pending {
  readonly subject: string;
  readonly deadline: number;
  readonly accept: (message: Msg) => void;
  readonly reject: (error: unknown) => void;
}

/** Something to be answered: by a service, or by a stream that acknowledges it. */
export interface Question {
  readonly subject: string;
  readonly body: Uint8Array;
  readonly headers: MsgHdrs;
  /** Epoch milliseconds. */
  readonly deadline: number;
}

export interface RequesterOptions {
  /** The most requests that wait for a reply at once; one more is `overloaded` at once. */
  readonly maxPending: number;
  readonly inboxPrefix: string;
  readonly isConnected: () => boolean;
}

export interface Requester {
  /**
   * Asks the owner of the operation and resolves to its reply, the data still as bytes.
   * Rejects with a ServiceError: the owner's refusal, `unavailable` (nobody serves it, or the bus is away: not
   * executed), `overloaded` (too many waiting here: not executed), `body_too_large` (for the server: not sent),
   * `deadline_exceeded` (outcome unknown). An Error of another kind: the reply cannot be read.
   */
  readonly forward: (
    operation: Operation,
    params: unknown,
    body: Uint8Array,
    context: CallContext,
  ) => Promise<RawReply>;
  /** Sends anything and resolves to what `read` makes of the answer to it. Rejects like `forward`, and as `read` does. */
  readonly send: <T>(question: Question, read: (message: Msg) => T) => Promise<T>;
  /** The replies of what is under way are lost with the connection: says so now, not at the deadlines. */
  readonly giveUp: () => void;
  /**
   * The server lets nobody here ask on this subject: what waits for a reply was not sent, unless it was allowed before.
   */
  readonly deny: (subject: string) => void;
  /** Resolves when all is sent that was asked. */
  readonly sent: () => Promise<void>;
  /** Requests that wait for a reply now. */
  readonly pending: () => number;
}

/** As late as this, in milliseconds, a request may end after its deadline: many that end together are one sweep. */
const LATE_MS = 20;
const MAX_PAYLOAD_EXCEEDED: string = ErrorCode.MaxPayloadExceeded;

/**
 * The asking side. One wildcard inbox, a map and one timer for the deadlines cost a sixth of the client's own
 * `request()` at 32 in flight, which makes a subscription state, a timer and a stack trace for each.
 */
export function createRequester(connection: NatsConnection, options: RequesterOptions): Requester {
  const inbox = createInbox(options.inboxPrefix);
  /** Subjects on which this connection was allowed to ask. */
  const answered = new Set<string>();
  const pending = emptyingMap<string, Pending>();
  const turnEnds = endOfTurn(setImmediate);
  const tickEnds = endOfTurn(nextTick);
  let counter = 0;
  let sweep: { readonly dueAt: number; readonly timer: NodeJS.Timeout } | undefined;

  /** One timer for all: a request that is answered before the deadline of those before it has cost none. */
  const sweepAt = (deadline: number) => {
    const left = Math.max(deadline - Date.now(), LATE_MS);
    // A clock that is set does not move the timer.
    const dueAt = performance.now() + left;
    if (sweep && sweep.dueAt <= dueAt) return;
    clearTimeout(sweep?.timer);
    sweep = { dueAt, timer: setTimeout(endOverdue, left).unref() };
  };

  const endOverdue = () => {
    sweep = undefined;
    const now = Date.now();
    let next = Infinity;
    for (const [token, { deadline }] of pending) {
      if (deadline <= now) pending.take(token)?.reject(new ServiceError('deadline_exceeded'));
      else next = Math.min(next, deadline);
    }
    if (next < Infinity) sweepAt(next);
  };

  const onReply = (message: Msg) => {
    const waiting = pending.take(message.subject.slice(inbox.length + 1));
    if (!waiting) return;
    answered.add(waiting.subject);
    try {
      if (isNoResponders(message)) throw new ServiceError('unavailable', undefined, { retryAfterSeconds: 1 });
      waiting.accept(message);
    } catch (error) {
      // Thrown further, it would end the client's reader: the connection with everything under way on it.
      waiting.reject(error);
    }
  };

  connection.subscribe(`${inbox}.*`, {
    callback: (error, message) => {
      if (!error) onReply(message);
    },
  });

  const publish = (token: string, { subject, body, headers }: Question) => {
    // Given up meanwhile: published now, the client would keep it for the next connection.
    if (!pending.get(token)) return;
    try {
      connection.publish(subject, body, { reply: `${inbox}.${token}`, headers });
    } catch (error) {
      pending.take(token)?.reject(refusalToSend(error));
    }
  };

  const send: Requester['send'] = (question, read) => {
    const { subject, deadline } = question;
    if (!options.isConnected() || connection.isClosed() || connection.isDraining()) {
      return Promise.reject(new ServiceError('unavailable', undefined, { retryAfterSeconds: 1 }));
    }
    if (pending.size() >= options.maxPending) {
      return Promise.reject(overloaded('bus_backlog'));
    }
    if (deadline <= Date.now()) return Promise.reject(new ServiceError('deadline_exceeded'));
    const token = (counter++).toString(36);
    return new Promise((resolve, reject) => {
      pending.set(token, { subject, deadline, accept: (message) => resolve(read(message)), reject });
      sweepAt(deadline);
      // Nobody waits that it could be sent with: most often it is one request at a time.
      const ends = pending.size() === 1 ? tickEnds : turnEnds;
      void ends().then(() => publish(token, question));
    });
  };

  const forward: Requester['forward'] = ({ subject }, params, body, context) => {
    const { deadline } = context;
    return send({ subject, body, headers: encodeRequest(context, params), deadline }, replyIn);
  };

  const giveUp = () => {
    answered.clear();
    clearTimeout(sweep?.timer);
    sweep = undefined;
    for (const [token] of pending) pending.take(token)?.reject(new ServiceError('deadline_exceeded'));
  };

  const deny = (subject: string) => {
    const refuse = (): ServiceError => {
      const cause = new Error(`not permitted to publish to ${subject}`);
      return answered.has(subject)
        ? new ServiceError('deadline_exceeded', undefined, { cause })
        : new ServiceError('unavailable', undefined, { cause, retryAfterSeconds: 1 });
    };
    let refusal: ServiceError | undefined;
    for (const [token, waiting] of pending) {
      if (waiting.subject === subject) pending.take(token)?.reject((refusal ??= refuse()));
    }
  };

  return { forward, send, giveUp, deny, sent: turnEnds, pending: pending.size };
}

function replyIn(message: Msg): RawReply {
  const reply = decodeReply(message);
  if ('refusal' in reply) throw fromErrorBody(reply.refusal);
  return { ...reply.meta, data: message.data };
}

const refusalToSend = (error: unknown): unknown =>
  error instanceof NatsError && error.code === MAX_PAYLOAD_EXCEEDED
    ? new ServiceError('body_too_large', undefined, { cause: error })
    : error;
