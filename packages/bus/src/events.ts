import { isDeepStrictEqual } from 'node:util';
import { type Event, type PayloadOf, ServiceError, type Stream, unavailable } from '@joblisting/contracts';
import {
  DiscardPolicy,
  ErrorCode,
  headers,
  type MsgHdrs,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
  type StreamConfig,
} from 'nats';
import { jsonBytes } from './envelope.ts';
import type { BusObserver } from './observer.ts';
import type { Requester } from './requester.ts';

/** Header of an event's trace (W3C Trace Context, section 3.2). */
export const TRACEPARENT = 'traceparent';
/** A stream drops messages with a known id, and rejects messages that expect another stream. */
export const MESSAGE_ID = 'Nats-Msg-Id';
const EXPECTED_STREAM = 'Nats-Expected-Stream';

const ACK_TIMEOUT_MS = 2000;
const STREAM_NOT_FOUND = 10_059;
export const MESSAGE_NOT_FOUND = 10_037;
const PERMISSIONS_VIOLATION: string = ErrorCode.PermissionsViolation;

/** True if the stream already had a message with this id within its deduplication window. */
export interface Published {
  readonly duplicate: boolean;
}

/** A stream's answer to a published message (ADR-1 of NATS, "JetStream JSON API"). */
interface PubAck {
  readonly duplicate?: boolean;
  readonly error?: { readonly code: number; readonly description: string };
}

export interface EventsOptions {
  readonly requester: Pick<Requester, 'send'>;
  readonly observer: BusObserver;
  /** Replicas of each stream. Without it, a stream keeps the number that an operator chose, and a new one has 1. */
  readonly streamReplicas: number | undefined;
}

/** Streams, and events that are published to them. */
export function createEvents(
  connection: NatsConnection,
  { requester, observer, streamReplicas }: EventsOptions,
) {
  const ensured = new Map<string, Stream>();
  const recreating = new Map<string, Promise<void>>();

  /**
   * Creates the stream, or gives an existing one these limits. A full stream refuses new messages. A user without
   * permission for that leaves an existing stream as it is; rejects if there is none.
   */
  const ensureStream = async (stream: Stream): Promise<void> => {
    ensured.set(stream.name, stream);
    const { streams } = await connection.jetstreamManager({ checkAPI: false });
    const wanted = configOf(stream, streamReplicas);
    const existing = await streams.info(stream.name).catch((error: unknown) => {
      if (!isApiError(error, STREAM_NOT_FOUND)) throw error;
    });
    if (existing && isDeepStrictEqual({ ...existing.config, ...wanted }, existing.config)) return;
    try {
      await (existing ? streams.update(stream.name, wanted) : streams.add(wanted));
    } catch (error) {
      if (!isDenied(error)) throw error;
      if (existing) return;
      throw new Error(`There is no stream ${stream.name}, and this user may not make it.`, { cause: error });
    }
  };

  /**
   * Creates a lost stream again, once for all concurrent callers. Resolves to false if this process never ensured it.
   */
  const recreate = async (name: string): Promise<boolean> => {
    const stream = ensured.get(name);
    if (!stream) return false;
    const run = recreating.get(name) ?? ensureStream(stream).finally(() => recreating.delete(name));
    recreating.set(name, run);
    await run;
    return true;
  };

  const store = async (event: Event, body: Uint8Array, messageHeaders: MsgHdrs): Promise<Published> => {
    const deadline = Date.now() + ACK_TIMEOUT_MS;
    const reply = await requester.send({ subject: event.subject, body, headers: messageHeaders, deadline });
    const { error, duplicate = false } = reply.json<PubAck>();
    if (error) throw new Error(`${event.stream} refused an event: ${error.code} ${error.description}`);
    return { duplicate };
  };

  /**
   * Publishes to the event's stream and resolves once the stream has it; a lost stream is created again. Rejects with
   * `unavailable` or `overloaded` (not stored) or `deadline_exceeded` (unknown): publish again with the same message
   * id.
   */
  const publishEvent = async <E extends Event>(
    event: E,
    payload: PayloadOf<E>,
    messageId: string,
  ): Promise<Published> => {
    const observation = observer.publishing(event);
    const messageHeaders = headers();
    messageHeaders.set(MESSAGE_ID, messageId);
    messageHeaders.set(EXPECTED_STREAM, event.stream);
    if (observation.traceparent) messageHeaders.set(TRACEPARENT, observation.traceparent);
    const body = jsonBytes(payload);
    try {
      const published = await store(event, body, messageHeaders).catch(async (error: unknown) => {
        // Without a stream, nobody is subscribed to the subject.
        const isLost = error instanceof ServiceError && error.reason === 'no_responder';
        if (isLost && (await recreate(event.stream))) return store(event, body, messageHeaders);
        throw error;
      });
      observation.end('ok');
      return published;
    } catch (cause) {
      const detail = `Could not publish to ${event.stream}.`;
      const error = cause instanceof ServiceError ? cause : unavailable('bus_away', detail, cause);
      observation.end(error.code, error.reason);
      throw error;
    }
  };

  /** The payload of the last message on the event's subject, or undefined if there is none. */
  const lastEvent = async <E extends Event>(event: E): Promise<PayloadOf<E> | undefined> => {
    const { streams } = await connection.jetstreamManager({ checkAPI: false });
    try {
      const message = await streams.getMessage(event.stream, { last_by_subj: event.subject });
      return message.json<PayloadOf<E>>();
    } catch (error) {
      if (isApiError(error, MESSAGE_NOT_FOUND)) return undefined;
      throw error;
    }
  };

  return { ensureStream, publishEvent, lastEvent };
}

const configOf = (stream: Stream, replicas: number | undefined) =>
  ({
    name: stream.name,
    subjects: [...stream.subjects],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    max_age: nanos(stream.maxAgeMs),
    max_bytes: stream.maxBytes,
    duplicate_window: nanos(stream.duplicateWindowMs),
    ...(replicas !== undefined && { num_replicas: replicas }),
  }) satisfies Partial<StreamConfig>;

const isDenied = (error: unknown): boolean =>
  error instanceof NatsError && error.code === PERMISSIONS_VIOLATION;

export const isApiError = (error: unknown, code: number): boolean =>
  error instanceof NatsError && error.api_error?.err_code === code;
