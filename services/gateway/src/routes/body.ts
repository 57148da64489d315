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
  /** Aborts when the gateway no longer waits for bodies. */
  readonly stopping: AbortSignal;
}

type ReceiveBody = (
  request: FastifyRequest,
  reply: FastifyReply,
  type: string | undefined,
) => Promise<Uint8Array>;

/** How the row's bodies are received; undefined where it takes none. */
export function bodyReceiver(row: Row, deps: BodyDeps): ReceiveBody | undefined {
  const { operation, access, content = JSON_ONLY } = row;
  // A DELETE may have a body that it does not need. The service refuses it if it is not JSON.
  if (!operation.body && row.method !== 'DELETE') return undefined;
  const { bodyLimit: limit = deps.bodyLimit } = row;
  const { memory, stopping, authenticator, volume } = deps;

  return async (request, reply, type) => {
    const wasIncomplete = !request.raw.complete;
    const unsupported = unsupportedOf(request, type, content);
    const consumerId = writerOf(row, request);
    // Before a large body is read. One without a length is counted after it was read.
    if (consumerId !== undefined)
      volume.requireRoom(consumerId, Math.min(announcedLength(request.raw), limit));
    const body = await receive(request, reply, { limit, unsupported, stopping }, memory);
    if (consumerId !== undefined) volume.add(consumerId, body.length);
    // The keys may have been revoked while the body arrived.
    if (wasIncomplete && access.keys !== 'none') await authenticator.checkAgain(request, access.keys);
    return row.bodyOptional && body.length === 0 ? EMPTY_OBJECT : body;
  };
}

const EMPTY_OBJECT = Buffer.from('{}');

/**
 * The consumer whose volume the body counts against. Events of metrics are not stored as sent, so they count for none.
 */
const writerOf = ({ operation }: Row, { state }: FastifyRequest): number | undefined =>
  operation === recordEvents ? undefined : state.principal?.consumerId;

/**
 * Reads a request's body. A client that is still sending gives its place back, and acquires one again when the body is
 * complete; the deadline moves by the time that it took. Throws as `readBody` and `state.acquire` do.
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
  content: NonNullable<Row['content']>,
): ServiceError | undefined {
  const coding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (coding !== 'identity') {
    return new ServiceError('unsupported_media_type', 'A compressed body is not supported.');
  }
  if (type !== undefined && Object.hasOwn(content, type)) return undefined;
  const detail = `Content-Type must be ${Object.keys(content).join(' or ')}, in UTF-8.`;
  return new ServiceError('unsupported_media_type', detail);
}
