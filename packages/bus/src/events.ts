import { isDeepStrictEqual } from 'node:util';
import { type Event, type PayloadOf, ServiceError, type Stream } from '@joblisting/contracts';
import {
  DiscardPolicy,
  ErrorCode,
  type Msg,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
} from 'nats';
import { HeaderLines, headerOf } from './header-lines.ts';
import { jsonBytes } from './json-bytes.ts';
import type { BusObserver } from './observer.ts';
import type { Requester } from './requester.ts';
import { traceparentHeader } from './wire.ts';

/** Headers by which a stream drops what it has already, and takes nothing meant for another one. */
const messageIdHeader = headerOf('Nats-Msg-Id');
const expectedStreamHeader = headerOf('Nats-Expected-Stream');

const STREAM_NOT_FOUND = 10_059;
const PERMISSIONS_VIOLATION: string = ErrorCode.PermissionsViolation;

type Limits = ReturnType<typeof limitsOf>;

const limitsOf = (stream: Stream, replicas: number | undefined) => ({
  name: stream.name,
  subjects: [...stream.subjects],
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.New,
  max_age: nanos(stream.maxAgeMs),
  max_bytes: stream.maxBytes,
  duplicate_window: nanos(stream.duplicateWindowMs),
  // Left out, an update keeps what an operator chose.
  ...(replicas !== undefined && { num_replicas: replicas }),
});

/**
 * Creates the stream, or brings an existing one to these limits. Full means that new messages are refused. A user who
 * may do neither leaves an existing stream as it is; rejects where there is none.
 */
export async function ensureStream(
  connection: NatsConnection,
  stream: Stream,
  replicas?: number,
): Promise<void> {
  const { streams } = await connection.jetstreamManager({ checkAPI: false });
  const wanted = limitsOf(stream, replicas);
  const known = await streams.info(stream.name).catch((error: unknown) => {
    if (!isApiError(error, STREAM_NOT_FOUND)) throw error;
  });
  if (known && hasLimits(known.config, wanted)) return;
  try {
    await (known ? streams.update(stream.name, wanted) : streams.add(wanted));
  } catch (error) {
    if (!isDenied(error)) throw error;
    if (known) return;
    throw new Error(`There is no stream ${stream.name}, and this user may not make it.`, { cause: error });
  }
}

const hasLimits = (config: object, wanted: Limits): boolean =>
  Object.entries(wanted).every(([name, value]) =>
    isDeepStrictEqual((config as Record<string, unknown>)[name], value),
  );

const isDenied = (error: unknown): boolean =>
  error instanceof NatsError && error.code === PERMISSIONS_VIOLATION;

export const isApiError = (error: unknown, code: number): boolean =>
  error instanceof NatsError && error.api_error?.err_code === code;

/** By what events are published, and who hears of it. */
export interface Publisher {
  readonly requester: Pick<Requester, 'send'>;
  readonly observer?: BusObserver | undefined;
}

/** True where the server already had a message of this id inside its dedupe window. */
export interface Published {
  readonly duplicate: boolean;
}

/** The answer of a stream to what was published (ADR-1 of NATS, "JetStream JSON API"). */
interface Acknowledgement {
  readonly duplicate?: boolean;
  readonly error?: { readonly code: number; readonly description: string };
}

const ACKNOWLEDGED_WITHIN_MS = 2000;

/**
 * Publishes to the event's stream and resolves once the stream has it. Rejects with `unavailable` where that
 * is not known to have happened: send it again with the same message id.
 *
 * The acknowledgements come by the one inbox of the requester: with many on their way, that costs a fifth of the
 * client's own `publish`.
 */
export async function publishEvent<E extends Event>(
  { requester, observer }: Publisher,
  event: E,
  payload: PayloadOf<E>,
  messageId: string,
): Promise<Published> {
  const trace = observer?.tracePublishing(event);
  let isStored = false;
  try {
    const headers = new HeaderLines(
      messageIdHeader.line(messageId) +
        expectedStreamHeader.line(event.stream) +
        traceparentHeader.lineIfAny(trace?.traceparent),
    );
    const body = jsonBytes(payload);
    const deadline = Date.now() + ACKNOWLEDGED_WITHIN_MS;
    const published = await requester.send({ subject: event.subject, body, headers, deadline }, toPublished);
    isStored = true;
    return published;
  } catch (cause) {
    throw new ServiceError('unavailable', `Could not publish to ${event.stream}.`, { cause });
  } finally {
    observer?.published(event, isStored);
    trace?.end(isStored ? 'ok' : 'unavailable');
  }
}

function toPublished(message: Msg): Published {
  const { error, duplicate = false } = message.json<Acknowledgement>();
  if (error) throw new Error(`the stream refused it: ${error.code} ${error.description}`);
  return { duplicate };
}

/** The payload of the last message on the event's subject, or undefined where there is none. */
export async function lastEvent<E extends Event>(
  connection: NatsConnection,
  event: E,
): Promise<PayloadOf<E> | undefined> {
  const manager = await connection.jetstreamManager({ checkAPI: false });
  try {
    const message = await manager.streams.getMessage(event.stream, { last_by_subj: event.subject });
    return message.json<PayloadOf<E>>();
  } catch (error) {
    if (isApiError(error, 10_037)) return undefined;
    throw error;
  }
}
