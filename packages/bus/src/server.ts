import {
  deadlineExceeded,
  type Operation,
  overloaded,
  type Reason,
  ServiceError,
  toErrorBody,
} from '@joblisting/contracts';
import type { MsgHdrs, NatsConnection, ServiceMsg } from 'nats';
import { decodeRequest, encodeError, encodeReply, type RawReply, type RawRequest } from './envelope.ts';
import type { BusObserver, Observation } from './observer.ts';
import { turnEnd } from './requester.ts';

export type RawHandler = (request: RawRequest) => Promise<RawReply>;

export interface Endpoint {
  readonly operation: Operation;
  readonly handle: RawHandler;
}

export interface ServeOptions {
  /** Name of the service; also its queue group, so that each request goes to one replica. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** The most requests handled at once; one more is refused as `overloaded`. */
  readonly maxInFlight: number;
  /**
   * The most bytes of bodies, and of large replies that the server does not have yet. Past it requests are refused as
   * `overloaded`, but never the only one.
   */
  readonly maxInFlightBytes?: number;
  /** Called with errors that are not refusals. The caller only learns `internal`. */
  readonly onError: (error: unknown, operation: Operation, request: RawRequest | undefined) => void;
}

/** A served set of operations. `stop` takes no more requests and resolves when those under way are answered. */
export interface Served {
  readonly inFlight: () => number;
  readonly stop: () => Promise<void>;
}

/** The default of `maxInFlightBytes`. */
export const IN_FLIGHT_BYTES = 32 * 1024 * 1024;
/** Smaller replies are not counted, because counting takes a flush, which is a round trip. */
const LARGE_REPLY_BYTES = 64 * 1024;
const NOTHING = new Uint8Array();

/** Replies go to inboxes only: otherwise a caller could make this service publish to any subject. */
const isInbox = (reply: string | undefined): boolean => reply?.startsWith('_INBOX') === true;

/** Serves operations by the NATS services API in one queue group, a bounded number at once. */
export async function serve(
  connection: NatsConnection,
  endpoints: readonly Endpoint[],
  options: ServeOptions,
  observer: BusObserver,
): Promise<Served> {
  const { name, version, description, maxInFlight, maxInFlightBytes = IN_FLIGHT_BYTES, onError } = options;
  const service = await connection.services.add({ name, version, description, queue: name });
  const inFlight = new Set<Promise<void>>();
  const endOfTurn = turnEnd();
  let bytesInFlight = 0;

  const limitReached = (bytes: number): Reason | undefined => {
    if (inFlight.size >= maxInFlight) return 'service_concurrency';
    if (bytesInFlight === 0) return undefined;
    return bytesInFlight + bytes <= maxInFlightBytes ? undefined : 'service_memory';
  };

  const respond = (message: ServiceMsg, data: Uint8Array, headers: MsgHdrs): void => {
    if (!connection.isClosed()) message.respond(data, { headers });
  };
  /** Counts the bytes of a large reply until the server has it, or the connection broke. */
  const holdUntilSent = async ({ length }: Uint8Array): Promise<void> => {
    if (length < LARGE_REPLY_BYTES || connection.isClosed()) return;
    bytesInFlight += length;
    await connection.flush().catch(() => undefined);
    bytesInFlight -= length;
  };
  const respondError = (message: ServiceMsg, error: ServiceError): void =>
    respond(message, NOTHING, encodeError(toErrorBody(error)));

  const answer = async ({ operation, handle }: Endpoint, message: ServiceMsg): Promise<void> => {
    let request: RawRequest | undefined;
    let observation: Observation | undefined;
    try {
      request = decodeRequest(message);
      observation = observer.serving(operation, request);
      // A message from another program may have no deadline.
      if (!(request.deadline > Date.now())) throw deadlineExceeded();
      const traced = { ...request, traceparent: observation.traceparent };
      const reply = await observation.run(() => handle(traced));
      if (inFlight.size > 1) await endOfTurn();
      respond(message, reply.data, encodeReply(reply));
      observation.end(reply.outcome);
      await holdUntilSent(reply.data);
    } catch (error) {
      const refusal = error instanceof ServiceError ? error : new ServiceError('internal');
      if (refusal.code === 'internal') onError(error, operation, request);
      respondError(message, refusal);
      observation?.end(refusal.code, refusal.reason);
    }
  };

  const accept = (endpoint: Endpoint, message: ServiceMsg): void => {
    const { length } = message.data;
    const reason = limitReached(length);
    if (reason) {
      respondError(message, overloaded(reason));
      return observer.rejected(endpoint.operation, reason);
    }
    bytesInFlight += length;
    const work = answer(endpoint, message).finally(() => {
      bytesInFlight -= length;
      inFlight.delete(work);
    });
    inFlight.add(work);
  };

  for (const endpoint of endpoints) {
    const { subject } = endpoint.operation;
    service.addEndpoint(subject.replaceAll('.', '_'), {
      subject,
      handler: (error, message) => {
        if (!error && isInbox(message.reply)) accept(endpoint, message);
      },
    });
  }
  await connection.flush();

  return {
    inFlight: () => inFlight.size,
    stop: async () => {
      // The client's own drain does not wait for async handlers: replies would be lost.
      await service.stop();
      await Promise.allSettled(inFlight);
      await connection.flush();
    },
  };
}
