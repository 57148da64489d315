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
import { deprecationHeaders, DRY_RUN, NDJSON_TYPE, readIdempotencyKey } from '../http/headers.ts';
import { parameterReader, type ReadParameters } from '../http/parameters.ts';
import type { QueryEntry } from '../http/query.ts';
import { asksFor } from '../http/problem.ts';
import { called, contextOf, type RequestState } from '../http/request-state.ts';
import { refuseFaults } from '../http/rewrite.ts';
import type { LongPoll } from '../limits/long-polls.ts';
import { sendPublicAnswer, sendReply } from './answer.ts';
import { type BodyDeps, bodyReceiver, mediaTypeFor } from './body.ts';
import { dropAfterWrite, type PublicCaches, rowCache } from './public-cache.ts';
import { type OwnerBus, requestOwner } from './request.ts';
import {
  cacheControlOf,
  deprecationOf,
  JSON_ONLY,
  ownerOf,
  parametersOf,
  type Row,
  takesContentType,
  takesIdempotencyKey,
  takesIfMatch,
  urlOf,
} from './row.ts';

interface RouteDeps extends BodyDeps {
  readonly bus: OwnerBus;
  readonly addresses: Addresses;
  readonly caches: PublicCaches;
  /** For operations with the parameter `wait`. */
  readonly longPoll: LongPoll;
}

/** Routes one row. The refusals come in the order of the API decisions: 401 and 403 before the body is touched. */
export function registerRow(server: FastifyInstance, row: Row, deps: RouteDeps): void {
  const { access, bodyLimit, timeoutMs, bytesOfAPlace } = row;
  const owner = ownerOf(row);
  const deprecation = deprecationOf(row);
  const headers = {
    'Cache-Control': cacheControlOf(row),
    ...(deprecation && deprecationHeaders(deprecation)),
  };
  const setHeaders: onRequestHookHandler = (_request, reply, done) => {
    reply.headers(headers);
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
    config: {
      operation: row.name,
      ...(owner !== undefined && { owner }),
      ...(bodyLimit !== undefined && { bodyLimit }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(bytesOfAPlace !== undefined && { bytesOfAPlace }),
    },
    onRequest: access.keys === 'none' ? [setHeaders] : [setHeaders, authorize],
    handler: handlerOf(row, deps),
  });
}

function handlerOf(row: Row, deps: RouteDeps): RouteHandlerMethod {
  const { addresses, caches } = deps;
  const receiveBody = bodyReceiver(row, deps);
  const readParameters = checkedParameters(row);
  const execute = executorOf(row, deps);
  const cache = rowCache(row, caches);
  /** Lets an operation wait for something to happen, where it has the parameter `wait`. */
  const run = (request: FastifyRequest, input: Input): Promise<RawReply> => {
    const { values } = input;
    const { wait } = values;
    if (typeof wait !== 'number') return execute(request, input);
    return deps.longPoll(request, wait, (seconds) =>
      execute(request, { ...input, values: { ...values, wait: seconds } }),
    );
  };
  const noteIds = idNoter(row);
  const owner = ownerOf(row);

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const type = mediaTypeFor(row, request);
    const body = await receiveBody?.(request, reply, type);
    const { values, warnings } = readParameters(request);
    noteIds(request.state, values);
    if (values['dryRun'] === true) reply.header(DRY_RUN, 'true');
    const key = warnings.length > 0 ? undefined : cache?.keyOf(values);
    if (cache && key !== undefined) {
      const answer = await called(
        request,
        owner,
        cache.get(key, () => execute(request, { values })),
      );
      return sendPublicAnswer(answer, { request, reply });
    }
    const executed = dropAfterWrite(row, caches, () => run(request, { values, type, body }));
    const raw = await called(request, owner, executed);
    noteIds(request.state, values, raw.id);
    return sendReply(row, raw, warnings, addresses, { request, reply });
  };
}

/**
 * Notes the ids that a request is logged with: those that its path and query name, and the one that the reply adds.
 * `id` is the job's or the application's, as the owner has it.
 */
function idNoter(row: Row) {
  const owner = ownerOf(row);
  return (state: RequestState, values: ReadParameters['values'], replied?: number): void => {
    const id = idIn(values, 'id') ?? replied;
    state.companyId = idIn(values, 'company.id');
    state.jobId = owner === 'jobs' ? id : idIn(values, 'jobId');
    state.applicationId = owner === 'applications' ? id : undefined;
  };
}

const idIn = (values: ReadParameters['values'], name: string): number | undefined =>
  typeof values[name] === 'number' ? values[name] : undefined;

/** Reads a request's path and query. Throws for their faults, and for those found before routing. */
function checkedParameters(row: Row) {
  const read = parameterReader(row.operation.params, parametersOf(row), row.method !== 'GET');

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
  const { operation, content = JSON_ONLY } = row;
  const hasContentType = takesContentType(row);
  const hasIfMatch = takesIfMatch(row);
  const hasIdempotencyKey = takesIdempotencyKey(row);
  const isNdjson = (accept: string | undefined) => row.answersNdjson && asksFor(accept, NDJSON_TYPE);

  return async (request: FastifyRequest, { values, type, body }: Input): Promise<RawReply> => {
    if ('answer' in operation) return { outcome: 'ok', data: operation.answer(values) };
    const { headers } = request;
    const contentType = hasContentType ? headers['content-type'] : undefined;
    const ifMatch = hasIfMatch ? readIfMatch(headers['if-match']) : undefined;
    const isDryRun = values['dryRun'] === true;
    const sentKey = hasIdempotencyKey ? readIdempotencyKey(headers['idempotency-key']) : undefined;
    // A dry run leaves the key for the request that it tries.
    const idempotencyKey = isDryRun ? undefined : sentKey;
    return requestOwner(bus, {
      operation,
      params: {
        ...values,
        ...(type && content[type]?.params),
        ...(contentType && { contentType }),
        ...(ifMatch && { ifMatch }),
        ...(isNdjson(headers.accept) && { format: 'ndjson' }),
      },
      body,
      context: { ...contextOf(request), idempotencyKey },
      isRepeatable: row.method === 'GET' || isDryRun || idempotencyKey !== undefined,
    });
  };
}
