import { ServiceError } from '@joblisting/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticate } from '../grants/authenticate.ts';
import type { Buffers } from '../http/buffers.ts';
import { mediaTypeOf } from '../http/media-type.ts';
import { receiveBody } from '../http/receive.ts';
import { JSON_ONLY, type Row } from './row.ts';

export interface BodyDoors {
  readonly authenticate: Authenticate;
  readonly bodyLimit: number;
  readonly buffers: Buffers;
  /** Aborts when bodies are not waited for any more. */
  readonly refusing: AbortSignal;
}

type ReceiveBody = (
  request: FastifyRequest,
  reply: FastifyReply,
  type: string | undefined,
) => Promise<Uint8Array>;

/** How the row's bodies are read; undefined where it takes none. */
export function bodyReader(row: Row, doors: BodyDoors): ReceiveBody | undefined {
  const { operation, access, media = JSON_ONLY } = row;
  // A DELETE that needs no body may have one all the same; the service refuses what is not JSON.
  if (!operation.body && row.method !== 'DELETE') return undefined;
  const { bodyLimit: limit, buffers, refusing } = doors;

  return async (request, reply, type) => {
    const unsupported = unsupportedOf(request, type, media);
    const { body, wasComing } = await receiveBody(request, reply, { limit, unsupported, refusing }, buffers);
    // Keys that were good when the body began to arrive may have been revoked since.
    if (wasComing && access.keys !== 'none') await doors.authenticate.again(request, access.keys);
    return body;
  };
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
