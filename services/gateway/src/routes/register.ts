import type { Bus, RawReply } from '@joblisting/bus';
import { ServiceError } from '@joblisting/contracts';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
  RouteHandlerMethod,
} from 'fastify';
import type { Addresses } from '../addresses.ts';
import { requireScope } from '../grants/authenticate.ts';
import { askAndDrop, cachedRow, type Caches } from '../cache/caches.ts';
import { ask } from '../http/ask.ts';
import { contextOf } from '../http/call.ts';
import { readIfMatch } from '../http/etag.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { parameterReader, type ReadParameters } from '../http/parameters.ts';
import type { QueryEntry } from '../http/query.ts';
import type { ReadyAnswers } from '../http/ready-answers.ts';
import { refuseFaults } from '../http/refuse-faults.ts';
import { sendAnswer, sendReady } from './answer.ts';
import { type BodyDoors, bodyReader, mediaTypeFor } from './body-reader.ts';
import {
  cacheControlOf,
  JSON_ONLY,
  parametersOf,
  type Row,
  takesIdempotencyKey,
  takesIfMatch,
  urlOf,
} from './row.ts';

export interface Doors extends BodyDoors {
  readonly bus: Pick<Bus, 'forward' | 'isConnected'>;
  readonly addresses: Addresses;
  readonly caches: Caches;
  readonly readyAnswers: Pick<ReadyAnswers, 'learn'>;
}

/** Routes one row. The refusals come in the order of the API decisions: 401 and 403 before the body is touched. */
export function registerRow(server: FastifyInstance, row: Row, doors: Doors): void {
  const { access } = row;
  const cacheControl = cacheControlOf(row);
  const say: onRequestHookHandler = (_request, reply, done) => {
    reply.header('Cache-Control', cacheControl);
    done();
  };
  const letIn: onRequestAsyncHookHandler = async (request) => {
    if (access.keys === 'none') return;
    await doors.authenticate.first(request, access.keys);
    requireScope(request, access.scope);
  };
  server.route({
    method: row.method,
    url: urlOf(row),
    config: { operation: row.name, ...('owner' in row.operation && { owner: row.operation.owner }) },
    onRequest: access.keys === 'none' ? [say] : [say, letIn],
    handler: handlerOf(row, doors),
  });
}

function handlerOf(row: Row, doors: Doors): RouteHandlerMethod {
  const { addresses, caches, readyAnswers } = doors;
  const receive = bodyReader(row, doors);
  const read = checkedParameters(row);
  const replyTo = replierOf(row, doors);
  const cached = cachedRow(row, caches);
  const cacheControl = cacheControlOf(row);

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const type = mediaTypeFor(row, request);
    const body = await receive?.(request, reply, type);
    const { values, warnings } = read(request);
    const raw = await askAndDrop(row, caches, () => replyTo(request, { values, type, body }));
    return sendAnswer(row, raw, warnings, addresses, { request, reply });
  };
  if (!cached) return answer;

  const ask = async (request: FastifyRequest, reply: FastifyReply, { values, key }: Asked) => {
    const raw = await cached.ask(key, () => replyTo(request, { values }));
    return sendAnswer(row, raw, [], addresses, { request, reply });
  };
  return (request, reply) => {
    const { values, warnings } = read(request);
    const key = warnings.length > 0 ? undefined : cached.keyOf(values);
    if (key === undefined) return answer(request, reply);
    const ready = cached.find(key);
    if (!ready) return ask(request, reply, { values, key });
    const { url = '' } = request.routeOptions;
    const find = () => cached.find(key);
    // The doorstep asks for no keys.
    if (row.access.keys === 'none')
      readyAnswers.learn(request.originalUrl, { operation: row.name, url, cacheControl, find });
    return sendReady(ready, { request, reply });
  };
}

interface Asked {
  readonly values: ReadParameters['values'];
  readonly key: string;
}

/** Reads a request's path and query. Throws for what is wrong with them, and for what was wrong before routing. */
function checkedParameters(row: Row) {
  const read = parameterReader(row.operation.params, parametersOf(row));

  return (request: FastifyRequest): ReadParameters => {
    refuseFaults(request);
    const parameters = read(request.params as Record<string, string>, request.query as QueryEntry[]);
    const { violations: errors } = parameters;
    if (errors.length > 0) throw new ServiceError('invalid_parameter', undefined, { errors });
    return parameters;
  };
}

interface Sent {
  readonly values: ReadParameters['values'];
  readonly type?: string | undefined;
  readonly body?: Uint8Array | undefined;
}

/** Gets what the row's operation replies: from its owner, or out of a package. */
function replierOf(row: Row, { bus }: Doors) {
  const { operation, media = JSON_ONLY } = row;
  const withIfMatch = takesIfMatch(row);
  const withKey = takesIdempotencyKey(row);

  return async (request: FastifyRequest, { values, type, body }: Sent): Promise<RawReply> => {
    if ('answer' in operation) return { outcome: 'ok', data: operation.answer(values) };
    const ifMatch = withIfMatch ? readIfMatch(request.headers['if-match']) : undefined;
    const idempotencyKey = withKey ? readIdempotencyKey(request.headers['idempotency-key']) : undefined;
    return ask(bus, {
      operation,
      params: { ...values, ...(type && media[type]), ...(ifMatch && { ifMatch }) },
      body,
      context: { ...contextOf(request), idempotencyKey },
      mayRepeat: row.method === 'GET' || idempotencyKey !== undefined,
    });
  };
}
