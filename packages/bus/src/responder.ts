import { nextTick } from 'node:process';
import {
  deadlineExceeded,
  type ErrorBody,
  type Operation,
  overloaded,
  ServiceError,
  toErrorBody,
} from '@joblisting/contracts';
import type { NatsConnection, Service, ServiceMsg } from 'nats';
import { emptyingSet } from './emptying.ts';
import { jsonBytes } from './json-bytes.ts';
import type { BusObserver, TracedWork } from './observer.ts';
import { endOfTurn } from './turns.ts';
import { decodeRequest, encodeRefusal, encodeReply, type RawReply, type RawRequest } from './wire.ts';

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
  /** The most requests handled at once; one more is refused at once as `overloaded`. */
  readonly maxInFlight: number;
  /** The most bytes of bodies handled at once, `IN_FLIGHT_BYTES` by default; a body on top is `overloaded`, unless it is alone. */
  readonly maxInFlightBytes?: number;
  /** Hears of errors that are not refusals. The caller only learns `internal`. */
  readonly onError: (error: unknown, operation: Operation, request: RawRequest | undefined) => void;
}

/** A served set of operations. `stop` takes no more requests and resolves when those under way are answered. */
export interface Served {
  readonly inFlight: () => number;
  readonly stop: () => Promise<void>;
}

export const IN_FLIGHT_BYTES = 32 * 1024 * 1024;

/** A reply to anything but an inbox would be a message of this service's own, to wherever the caller likes. */
const isInbox = (reply: string | undefined): boolean => reply?.startsWith('_INBOX') === true;

/** Serves operations by the NATS services API in one queue group (design: a bounded number at once). */
export async function serve(
  connection: NatsConnection,
  endpoints: readonly Endpoint[],
  options: ServeOptions,
  observer?: BusObserver,
): Promise<Served> {
  const { name, version, description } = options;
  const service: Service = await connection.services.add({ name, version, description, queue: name });
  const underWay = emptyingSet<Promise<void>>();
  const maxBytes = options.maxInFlightBytes ?? IN_FLIGHT_BYTES;
  const turnEnds = endOfTurn(nextTick);
  let bytesUnderWay = 0;
  const hasRoomFor = (bytes: number): boolean =>
    underWay.size() < options.maxInFlight &&
    (bytes === 0 || bytesUnderWay === 0 || bytesUnderWay + bytes <= maxBytes);

  const refuse = (message: ServiceMsg, refusal: ErrorBody): void => {
    message.respond(jsonBytes(refusal), { headers: encodeRefusal(refusal) });
  };

  const answer = async (endpoint: Endpoint, message: ServiceMsg): Promise<void> => {
    const { operation } = endpoint;
    const startedAt = performance.now();
    let request: RawRequest | undefined;
    let trace: TracedWork | undefined;
    let outcome: string;
    try {
      request = decodeRequest(message);
      if (request.deadline <= Date.now()) throw deadlineExceeded();
      trace = observer?.traceServing(operation, request);
      const reply = await (trace ? handleTraced(endpoint, request, trace) : endpoint.handle(request));
      await turnEnds();
      message.respond(reply.data, { headers: encodeReply(reply) });
      outcome = reply.outcome;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal.code === 'internal') options.onError(error, operation, request);
      refuse(message, refusal);
      outcome = refusal.code;
    }
    observer?.served(operation, outcome, performance.now() - startedAt);
    trace?.end(outcome);
  };

  for (const endpoint of endpoints) {
    service.addEndpoint(endpoint.operation.subject.replaceAll('.', '_'), {
      subject: endpoint.operation.subject,
      handler: (denied, message) => {
        if (denied || !isInbox(message.reply)) return;
        const { length } = message.data;
        if (!hasRoomFor(length)) {
          const refusal = toErrorBody(overloaded('service_concurrency'));
          refuse(message, refusal);
          return observer?.served(endpoint.operation, refusal.code, 0);
        }
        bytesUnderWay += length;
        const work = answer(endpoint, message).finally(() => {
          bytesUnderWay -= length;
          underWay.delete(work);
        });
        underWay.add(work);
      },
    });
  }
  await connection.flush();

  return {
    inFlight: underWay.size,
    stop: async () => {
      // The client's own drain does not wait for async handlers: replies would be lost.
      await service.stop();
      await Promise.allSettled(underWay);
      await connection.flush();
    },
  };
}

/** What the handler asks for in turn goes on from here. */
const handleTraced = ({ handle }: Endpoint, request: RawRequest, { traceparent, run }: TracedWork) =>
  run(() => handle({ ...request, traceparent }));

function refusalOf(error: unknown): ErrorBody {
  return toErrorBody(error instanceof ServiceError ? error : new ServiceError('internal'));
}
