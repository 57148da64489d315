import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { overloaded } from '@joblisting/contracts';
import { readTraceparent } from '@joblisting/service-kit';
import type { FastifyInstance } from 'fastify';
import type { Addresses } from '../addresses.ts';
import { errorAnswer } from '../errors/answer.ts';
import { requestIdOf } from './call.ts';
import type { TellEnd } from './ended.ts';
import type { Places } from './in-flight.ts';
import { pathOf } from './path.ts';
import { FRONT_DOOR } from './request-metrics.ts';
import type { ReadyAnswers } from './ready-answers.ts';
import { continueTrace } from './trace.ts';

/** Reads of one thing by its id, answered before the router sees them. */
export interface ReadsById {
  /**
   * Answers, where it can, a request that was found to have a place among those that wait for `owner`.
   * @param common the headers that every answer carries, names and values in turn
   */
  readonly answer: (
    raw: IncomingMessage,
    response: ServerResponse,
    owner: string,
    common: readonly string[],
  ) => boolean;
}

export interface FrontDoor {
  readonly places: Places;
  readonly addresses: Addresses;
  readonly tell: TellEnd;
  /** The service that a path's requests wait for; undefined where every request is to be let in. */
  readonly ownerOf: (path: string) => string | undefined;
  readonly isClosing: () => boolean;
  readonly ready: ReadyAnswers;
  readonly reads: ReadsById;
}

/** What depends on the request, and what would be wrong for this answer. */
const NOT_ALIKE = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'request-id',
  'traceparent',
]);

/**
 * Refuses what there is no place for before anything else is done about it. On the whole way a refusal costs a good
 * part of what a request costs that is worked on, and at three times the capacity most of the work would be
 * refusals: here it is half of that. The way in there has the same bound, and what needs more care than a plain refusal is
 * let in. Reads by id have no other bound than this one.
 */
export function guardFrontDoor(server: FastifyInstance, door: FrontDoor): void {
  const { places, ready, reads } = door;
  const [letIn] = server.server.listeners('request') as [RequestListener];
  let common: readonly string[] | undefined;
  let refuse: RequestListener | undefined;

  server.server.off('request', letIn);
  server.server.on('request', (raw: IncomingMessage, response: ServerResponse) => {
    if (common && ready.answer(raw, response, common)) return;
    const owner = refuse && ownerToAsk(raw, response, door);
    if (refuse && owner !== undefined && !places.admit(owner)) refuse(raw, response);
    else if (!common || owner === undefined || !reads.answer(raw, response, owner, common))
      letIn(raw, response);
  });
  server.addHook('onListen', async () => {
    common = await commonHeaders(server);
    refuse = refusal(door, common);
  });
}

/** The service that a request waits for; undefined for one that is let in whatever it waits for. */
function ownerToAsk(
  raw: IncomingMessage,
  { shouldKeepAlive }: ServerResponse,
  { ownerOf, isClosing }: FrontDoor,
): string | undefined {
  const { method, url = '/', headers } = raw;
  // Its body has to be read before the connection closes, or the client never sees the answer.
  const isLeaving =
    !shouldKeepAlive && (headers['content-length'] ?? headers['transfer-encoding']) !== undefined;
  // A preflight waits for no service.
  return method === 'OPTIONS' || isLeaving || isClosing() ? undefined : ownerOf(url);
}

/** The headers that every answer carries, as the server itself sets them: names and values in turn. */
async function commonHeaders(server: FastifyInstance): Promise<string[]> {
  const { headers } = await server.inject('/healthz');
  return Object.entries(headers)
    .filter(([name]) => !NOT_ALIKE.has(name))
    .flatMap(([name, value]) => [name, String(value)]);
}

function refusal({ addresses, tell }: FrontDoor, common: readonly string[]): RequestListener {
  const error = overloaded('gateway_concurrency');

  return (raw, response) => {
    const requestId = requestIdOf(raw);
    const traceparent = continueTrace(readTraceparent(raw.headers['traceparent']));
    const path = pathOf(raw.url ?? '/');
    const { accept } = raw.headers;
    const refused = { instance: path, requestId, accept, isPrivate: false };
    const { status, headers, body } = errorAnswer(error, refused, addresses);
    const own = {
      'Request-Id': requestId,
      traceparent,
      ...headers,
      'Content-Length': String(Buffer.byteLength(body)),
    };
    // As a flat list they are written as they are, without a look-up of each.
    response.writeHead(status, common.concat(Object.entries(own).flat()));
    response.end(raw.method === 'HEAD' ? undefined : body);
    tell({
      requestId,
      traceparent,
      method: raw.method ?? '',
      route: FRONT_DOOR,
      path,
      status,
      outcome: error.code,
      durationMs: 0,
    });
  };
}
