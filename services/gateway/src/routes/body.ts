import { recordEvents, ServiceError } from '@joblisting/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../auth/authenticate.ts';
import { announcedLength, type BodyRules, readBody } from '../http/body.ts';
import { mediaTypeOf } from '../http/headers.ts';
import { clientOf } from '../limits/client.ts';
import type { MemoryLimiter } from '../limits/memory.ts';
import type { WriteVolume } from '../limits/write-volume.ts';
import { JSON_ONLY, type Row } from './row.ts';

export interface BodyDeps {
  readonly authenticator: Authenticator;
  readonly bodyLimit: number;
  readonly memory: MemoryLimiter;
  readonly volume: WriteVolume;
  /** Aborts when bodies are not waited for any more. */
  readonly stopping: AbortSignal;
}

type ReceiveBody = (
  request: FastifyRequest,
  reply: FastifyReply,
  type: string | undefined,
) => Promise<Uint8Array>;

/** How the row's bodies are received; undefined where it takes none. */
export function bodyReceiver(row: Row, deps: BodyDeps): ReceiveBody | undefined {
  const { operation, access, media = JSON_ONLY } = row;
  // A DELETE that needs no body may have one all the same; the service refuses what is not JSON.
  if (!operation.body && row.method !== 'DELETE') return undefined;
  const { bodyLimit: limit, memory, stopping, authenticator, volume } = deps;

  return async (request, reply, type) => {
    const wasIncomplete = !request.raw.complete;
    const unsupported = unsupportedOf(request, type, media);
    const consumerId = writerOf(row, request);
    // Before a large body is read. One without a length is judged when it is here.
    if (consumerId !== undefined)
      volume.requireRoom(consumerId, Math.min(announcedLength(request.raw), limit));
    const body = await receive(request, reply, { limit, unsupported, stopping }, memory);
    if (consumerId !== undefined) volume.add(consumerId, body.length);
    // Keys that were good when the body began to arrive may have been revoked since.
    if (wasIncomplete && access.keys !== 'none') await authenticator.checkAgain(request, access.keys);
    return body;
  };
}

/** Whose volume the body counts for. Events of metrics are not stored as they are sent: they count for nobody's. */
const writerOf = ({ operation }: Row, { state }: FastifyRequest): number | undefined =>
  operation === recordEvents ? undefined : state.principal?.consumerId;

/**
 * Reads a request's body. A client that is still sending holds no place among the requests in flight, and acquires one
 * anew when the body is here; the deadline moves by the time it took. Throws as `readBody` and `state.acquire` do.
 */
async function receive(
  request: FastifyRequest,
  { raw: response }: FastifyReply,
  rules: Omit<BodyRules, 'onGrowth'>,
  memory: MemoryLimiter,
): Promise<Uint8Array> {
  const { raw, state } = request;
  const client = clientOf(request);
  const holder = { response, client };
  const onGrowth = (bytes: number): void => {
    memory.holdForClient(holder, bytes);
    memory.requireRoomFor(client, bytes);
  };
  const isIncomplete = !raw.complete;
  const startedAt = Date.now();
  if (isIncomplete) state.release();
  try {
    const body = await readBody(raw, { ...rules, onGrowth });
    if (isIncomplete) state.acquire(body.length);
    state.deadline += Date.now() - startedAt;
    memory.holdForWork(holder, body.buffer.byteLength);
    return body;
  } catch (error) {
    memory.holdForWork(holder, 0);
    throw error;
  }
}

export const mediaTypeFor = ({ method }: Row, { headers }: FastifyRequest): string | undefined =>
  method === 'DELETE' ? 'application/json' : mediaTypeOf(headers['content-type']);

function unsupportedOf(
  request: FastifyRequest,
  type: string | undefined,
  media: NonNullable<Row['media']>,
): ServiceError | undefined {
  const coding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (coding !== 'identity') {
    return new ServiceError('unsupported_media_type', 'A compressed body is not supported.');
  }
  if (type !== undefined && Object.hasOwn(media, type)) return undefined;
  const detail = `Content-Type must be ${Object.keys(media).join(' or ')}, in UTF-8.`;
  return new ServiceError('unsupported_media_type', detail);
}
