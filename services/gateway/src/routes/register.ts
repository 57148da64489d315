import type { RawReply } from '@joblisting/bus';
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
import { requireScope } from '../auth/authenticate.ts';
import { readIfMatch } from '../http/etag.ts';
import { readIdempotencyKey } from '../http/headers.ts';
import { parameterReader, type ReadParameters } from '../http/parameters.ts';
import type { QueryEntry } from '../http/query.ts';
import { contextOf } from '../http/request-state.ts';
import { refuseFaults } from '../http/rewrite.ts';
import { sendPublicAnswer, sendReply } from './answer.ts';
import { type BodyDeps, bodyReceiver, mediaTypeFor } from './body.ts';
import { dropAfterWrite, type PublicCaches, rowCache } from './public-cache.ts';
import { type OwnerBus, requestOwner } from './request.ts';
import {
  cacheControlOf,
  JSON_ONLY,
  parametersOf,
  type Row,
  takesIdempotencyKey,
  takesIfMatch,
  urlOf,
} from './row.ts';

interface RouteDeps extends BodyDeps {
  readonly bus: OwnerBus;
  readonly addresses: Addresses;
  readonly caches: PublicCaches;
}

/** Routes one row. The refusals come in the order of the API decisions: 401 and 403 before the body is touched. */
export function registerRow(server: FastifyInstance, row: Row, deps: RouteDeps): void {
  const { access } = row;
  const cacheControl = cacheControlOf(row);
  const setCacheControl: onRequestHookHandler = (_request, reply, done) => {
    reply.header('Cache-Control', cacheControl);
    done();
  };
  const authorize: onRequestAsyncHookHandler = async (request) => {
    if (access.keys === 'none') return;
    await deps.authenticator.authenticate(request, access.keys);
    requireScope(request, access.scope);
  };
  server.route({
    method: row.method,
    url: urlOf(row),
    config: { operation: row.name, ...('owner' in row.operation && { owner: row.operation.owner }) },
    onRequest: access.keys === 'none' ? [setCacheControl] : [setCacheControl, authorize],
    handler: handlerOf(row, deps),
  });
}

function handlerOf(row: Row, deps: RouteDeps): RouteHandlerMethod {
  const { addresses, caches } = deps;
  const receiveBody = bodyReceiver(row, deps);
  const readParameters = checkedParameters(row);
  const execute = executorOf(row, deps);
  const cache = rowCache(row, caches);
  const isOfJobs = 'owner' in row.operation && row.operation.owner === 'jobs';

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const type = mediaTypeFor(row, request);
    const body = await receiveBody?.(request, reply, type);
    const { values, warnings } = readParameters(request);
    request.state.companyId = idIn(values, 'company.id');
    if (isOfJobs) request.state.jobId = idIn(values, 'id');
    const key = warnings.length > 0 ? undefined : cache?.keyOf(values);
    if (cache && key !== undefined) {
      const answer = await cache.get(key, () => execute(request, { values }));
      return sendPublicAnswer(answer, { request, reply });
    }
    const raw = await dropAfterWrite(row, caches, () => execute(request, { values, type, body }));
    if (isOfJobs) request.state.jobId ??= raw.id;
    return sendReply(row, raw, warnings, addresses, { request, reply });
  };
}

const idIn = (values: ReadParameters['values'], name: string): number | undefined =>
  typeof values[name] === 'number' ? values[name] : undefined;

/** Reads a request's path and query. Throws for their faults, and for those found before routing. */
function checkedParameters(row: Row) {
  const read = parameterReader(row.operation.params, parametersOf(row));

  return (request: FastifyRequest): ReadParameters => {
    refuseFaults(request.raw);
    const parameters = read(request.params as Record<string, string>, request.query as QueryEntry[]);
    const { violations: errors } = parameters;
    if (errors.length > 0) throw new ServiceError('invalid_parameter', undefined, { errors });
    return parameters;
  };
}

interface Input {
  readonly values: ReadParameters['values'];
  readonly type?: string | undefined;
  readonly body?: Uint8Array | undefined;
}

/** Executes the row's operation: at its owner, or from a package. */
function executorOf(row: Row, { bus }: RouteDeps) {
  const { operation, media = JSON_ONLY } = row;
  const hasIfMatch = takesIfMatch(row);
  const hasIdempotencyKey = takesIdempotencyKey(row);

  return async (request: FastifyRequest, { values, type, body }: Input): Promise<RawReply> => {
    if ('answer' in operation) return { outcome: 'ok', data: operation.answer(values) };
    const { headers } = request;
    const ifMatch = hasIfMatch ? readIfMatch(headers['if-match']) : undefined;
    const idempotencyKey = hasIdempotencyKey ? readIdempotencyKey(headers['idempotency-key']) : undefined;
    return requestOwner(bus, {
      operation,
      params: { ...values, ...(type && media[type]), ...(ifMatch && { ifMatch }) },
      body,
      context: { ...contextOf(request), idempotencyKey },
      isRepeatable: row.method === 'GET' || idempotencyKey !== undefined,
    });
  };
}
