import type { Bus, RawReply } from '@joblisting/bus';
import { ServiceError } from '@joblisting/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { type Addresses, BASE_PATH } from '../addresses.ts';
import { type Authenticate, requireScope } from '../grants/authenticate.ts';
import type { Buffers } from '../http/buffers.ts';
import { ask } from '../http/ask.ts';
import { contextOf } from '../http/call.ts';
import { readIfMatch } from '../http/etag.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { mediaTypeOf } from '../http/media-type.ts';
import { parameterReader } from '../http/parameters.ts';
import type { QueryEntry } from '../http/query.ts';
import { receiveBody } from '../http/receive.ts';
import { refuseFaults } from '../http/refuse-faults.ts';
import { sendAnswer } from './answer.ts';
import {
  cacheControlOf,
  JSON_ONLY,
  parametersOf,
  type Row,
  takesIdempotencyKey,
  takesIfMatch,
} from './row.ts';

export interface Doors {
  readonly bus: Pick<Bus, 'forward' | 'isConnected'>;
  readonly authenticate: Authenticate;
  readonly addresses: Addresses;
  readonly bodyLimit: number;
  readonly buffers: Buffers;
  /** Aborts when bodies are not waited for any more. */
  readonly refusing: AbortSignal;
}

/** Routes one row. The refusals come in the order of the API decisions: 401 and 403 before the body is touched. */
export function registerRow(server: FastifyInstance, row: Row, doors: Doors): void {
  const { access } = row;
  const cacheControl = cacheControlOf(row);
  server.route({
    method: row.method,
    url: BASE_PATH + row.path.replaceAll(/\{([^}]+)\}/g, ':$1'),
    config: { operation: row.name, ...('owner' in row.operation && { owner: row.operation.owner }) },
    onRequest: async (request, reply) => {
      reply.header('Cache-Control', cacheControl);
      if (access.keys === 'none') return;
      await doors.authenticate.first(request, access.keys);
      requireScope(request, access.scope);
    },
    handler: handlerOf(row, doors),
  });
}

function handlerOf(row: Row, doors: Doors): RouteHandlerMethod {
  const { bus, addresses } = doors;
  const { operation } = row;
  const receive = bodyReader(row, doors);
  const read = parameterReader(operation.params, parametersOf(row));
  const media = row.media ?? JSON_ONLY;
  const withIfMatch = takesIfMatch(row);
  const withKey = takesIdempotencyKey(row);

  return async (request, reply) => {
    const type = mediaTypeFor(row, request);
    const body = await receive?.(request, reply, type);

    refuseFaults(request);
    const { values, violations, warnings } = read(
      request.params as Record<string, string>,
      request.query as QueryEntry[],
    );
    if (violations.length > 0) throw new ServiceError('invalid_parameter', undefined, { errors: violations });
    const ifMatch = withIfMatch ? readIfMatch(request.headers['if-match']) : undefined;
    const idempotencyKey = withKey ? readIdempotencyKey(request.headers['idempotency-key']) : undefined;

    const params = { ...values, ...(type && media[type]), ...(ifMatch && { ifMatch }) };
    const answer: RawReply =
      'answer' in operation
        ? { outcome: 'ok', data: operation.answer(values) }
        : await ask(bus, {
            operation,
            params,
            body,
            context: { ...contextOf(request), idempotencyKey },
            mayRepeat: row.method === 'GET' || idempotencyKey !== undefined,
          });
    return sendAnswer(row, answer, warnings, addresses, { request, reply });
  };
}

type ReceiveBody = (
  request: FastifyRequest,
  reply: FastifyReply,
  type: string | undefined,
) => Promise<Uint8Array>;

/** How the row's bodies are read; undefined where it takes none. */
function bodyReader(row: Row, doors: Doors): ReceiveBody | undefined {
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

const mediaTypeFor = ({ method }: Row, { headers }: FastifyRequest): string | undefined =>
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
