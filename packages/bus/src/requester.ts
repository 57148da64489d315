import {
  deadlineExceeded,
  type Operation,
  overloaded,
  ServiceError,
  unavailable,
} from '@joblisting/contracts';
import { createInbox, ErrorCode, type Msg, type MsgHdrs, type NatsConnection, NatsError } from 'nats';
import { type CallContext, decodeReply, encodeRequest, LONGEST_CALL_MS, type RawReply } from './envelope.ts';
import type { BusObserver } from './observer.ts';

interface Pending {
  readonly subject: string;
  readonly resolve: (reply: Msg) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/** A message that is answered: by a service, or by a stream that acknowledges it. */
export interface RequestMessage {
  readonly subject: string;
  readonly body: Uint8Array;
  readonly headers: MsgHdrs;
  /** Epoch milliseconds. */
  readonly deadline: number;
}

export interface RequesterOptions {
  /** The most requests that wait for a reply at once. */
  readonly maxPending: number;
  readonly inboxPrefix: string;
  readonly isConnected: () => boolean;
  readonly observer: BusObserver;
}

export interface Requester {
  /**
   * Requests an operation and resolves to the reply, its data still as bytes. Rejects with the service's own
   * ServiceError, as `send` does, or with an Error of another kind if the reply cannot be read.
   */
  readonly request: (
    operation: Operation,
    params: unknown,
    body: Uint8Array,
    context: CallContext,
  ) => Promise<RawReply>;
  /**
   * Sends a message and resolves to the answer. Rejects with a ServiceError: `unavailable` (`bus_away`, `no_responder`,
   * `bus_permission`), `overloaded` (`bus_backlog`) or `body_too_large`, all of which mean not executed;
   * `deadline_exceeded` (`deadline`, `reply_lost`, `bus_permission`): the outcome is unknown.
   */
  readonly send: (message: RequestMessage) => Promise<Msg>;
  /** The connection broke: the replies of all that is pending are lost. */
  readonly connectionLost: () => void;
  /** The server does not let this connection publish to the subject. */
  readonly publishDenied: (subject: string) => void;
  readonly pendingCount: () => number;
}

/**
 * Resolves at the end of this turn of the event loop. What is published then goes to the server in one write, which
 * halves the gateway's CPU at 32 concurrent requests.
 */
export function turnEnd(): () => Promise<void> {
  let turn: Promise<void> | undefined;
  return () =>
    (turn ??= new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve();
      });
    }));
}

/**
 * Uses one wildcard inbox and a map of pending requests: a sixth of the CPU of the client's own `request()`. It also
 * knows at once which replies are lost with the connection.
 */
export function createRequester(connection: NatsConnection, options: RequesterOptions): Requester {
  const { maxPending, isConnected, observer } = options;
  const inbox = createInbox(options.inboxPrefix);
  const pending = new Map<string, Pending>();
  /** Subjects that this connection was allowed to publish to. */
  const permitted = new Set<string>();
  const endOfTurn = turnEnd();
  let lastToken = 0;

  const removePending = (token: string): Pending | undefined => {
    const request = pending.get(token);
    pending.delete(token);
    clearTimeout(request?.timer);
    return request;
  };

  // The callback must not throw: that would end the client's reader, and with it the connection.
  connection.subscribe(`${inbox}.*`, {
    callback: (error, reply) => {
      if (error) return;
      const request = removePending(reply.subject.slice(inbox.length + 1));
      if (!request) return;
      permitted.add(request.subject);
      request.resolve(reply);
    },
  });

  const send = async ({ subject, body, headers, deadline }: RequestMessage): Promise<Msg> => {
    if (!isConnected()) throw unavailable('bus_away');
    if (pending.size >= maxPending) throw overloaded('bus_backlog');
    const leftMs = Math.min(deadline - Date.now(), LONGEST_CALL_MS);
    if (leftMs <= 0) throw deadlineExceeded();
    const token = (++lastToken).toString(36);
    const { promise, resolve, reject } = Promise.withResolvers<Msg>();
    const timer = setTimeout(() => removePending(token)?.reject(deadlineExceeded()), leftMs);
    pending.set(token, { subject, resolve, reject, timer });
    if (pending.size > 1) {
      promise.catch(() => undefined);
      await endOfTurn();
      // It timed out meanwhile, so it must not be executed.
      if (!pending.has(token)) return promise;
    }
    try {
      connection.publish(subject, body, { reply: `${inbox}.${token}`, headers });
    } catch (error) {
      removePending(token);
      throw isTooLarge(error) ? new ServiceError('body_too_large', undefined, { cause: error }) : error;
    }
    const reply = await promise;
    // The server's answer if nobody is subscribed; the client's own `request()` recognises it the same way.
    if (reply.data.length === 0 && reply.headers?.code === NO_RESPONDERS) throw unavailable('no_responder');
    return reply;
  };

  const request: Requester['request'] = async (operation, params, body, context) => {
    const observation = observer.requesting(operation, context);
    try {
      const headers = encodeRequest({ ...context, traceparent: observation.traceparent }, params);
      const { subject } = operation;
      const reply = decodeReply(await send({ subject, body, headers, deadline: context.deadline }));
      observation.end(reply.outcome);
      return reply;
    } catch (error) {
      if (error instanceof ServiceError) observation.end(error.code, error.reason);
      else observation.end('internal');
      throw error;
    }
  };

  const connectionLost = (): void => {
    permitted.clear();
    for (const token of pending.keys()) removePending(token)?.reject(deadlineExceeded('reply_lost'));
  };

  const publishDenied = (subject: string): void => {
    const cause = new Error(`not permitted to publish to ${subject}`);
    // Permissions can change while the server runs. If it permitted the subject before, this request may be executed.
    const refusal = permitted.has(subject)
      ? deadlineExceeded('bus_permission', cause)
      : unavailable('bus_permission', undefined, cause);
    for (const [token, request] of pending)
      if (request.subject === subject) removePending(token)?.reject(refusal);
  };

  return { request, send, connectionLost, publishDenied, pendingCount: () => pending.size };
}

const NO_RESPONDERS = 503;
const MAX_PAYLOAD_EXCEEDED: string = ErrorCode.MaxPayloadExceeded;

const isTooLarge = (error: unknown): boolean =>
  error instanceof NatsError && error.code === MAX_PAYLOAD_EXCEEDED;
