import type { IncomingMessage, ServerResponse } from 'node:http';
import { readTraceparent, type Tracing } from '@joblisting/service-kit';
import type { ReadyAnswer } from '../cache/answers.ts';
import { JSON_TYPE } from '../errors/accept.ts';
import { dropFirst } from '../limits/drop-first.ts';
import type { Buffers } from './buffers.ts';
import { beginSpan, requestIdOf } from './call.ts';
import { endSpan, type TellEnd } from './ended.ts';
import { pathOf } from './path.ts';
import { continueTrace } from './trace.ts';

/** A route whose answers to anyone are kept. */
export interface ReadyRoute {
  readonly operation: string;
  /** As the router has it. */
  readonly url: string;
  readonly cacheControl: string;
  readonly find: () => ReadyAnswer | undefined;
}

interface ReadyAnswersOptions {
  readonly tell: TellEnd;
  readonly tracing: Tracing | undefined;
  readonly buffers: Buffers;
  readonly isClosing: () => boolean;
  /** Counts a request as under way until its response is closed. */
  readonly countIn: (response: ServerResponse) => void;
}

export interface ReadyAnswers {
  /** Says that all requests for this target may be answered so, from now on. */
  readonly learn: (target: string, route: ReadyRoute) => void;
  /** The headers that every answer carries, names and values in turn. Before it has them, nothing is answered here. */
  readonly open: (common: readonly string[]) => void;
  /** Answers, where it can. */
  readonly answer: (raw: IncomingMessage, response: ServerResponse) => boolean;
}

/** When there are more, the one goes that was learnt first. */
const MOST_TARGETS = 1000;
const LONGEST_TARGET = 200;

/**
 * Answers requests whose answer is there already before the router sees them. What the whole way does is the same for
 * all of them, and was done for the first one: its target was read and found right, and nothing in its headers matters.
 * Worth: a third of a public answer.
 */
export function answerReady(options: ReadyAnswersOptions): ReadyAnswers {
  const { tell, tracing, buffers, isClosing, countIn } = options;
  const routes = new Map<string, ReadyRoute>();
  let common: readonly string[] | undefined;

  const send = (
    { method = '', url = '', headers }: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    route: ReadyRoute,
    { body, tag, length }: ReadyAnswer,
  ): void => {
    const arrivedAt = performance.now();
    const parent = readTraceparent(headers['traceparent']);
    const span = tracing?.sample()
      ? beginSpan(tracing, { method, route: route.url, requestId }, parent)
      : undefined;
    const traceparent = span?.traceparent ?? continueTrace(parent);
    countIn(response);
    buffers.awaitClient(response, 2 * body.length);
    response.on('close', () => {
      const ended = {
        requestId,
        traceparent,
        operation: route.operation,
        method,
        route: route.url,
        path: pathOf(url),
        status: 200,
        outcome: 'ok',
        durationMs: Math.round((performance.now() - arrivedAt) * 1000) / 1000,
        ...(!response.writableFinished && { aborted: true as const }),
      };
      tell(ended);
      endSpan(span, ended);
    });
    const own = {
      'request-id': requestId,
      traceparent,
      'cache-control': route.cacheControl,
      etag: tag,
      'content-type': JSON_TYPE,
      'content-length': length,
    };
    response.writeHead(200, [...(common as readonly string[]), ...Object.entries(own).flat()]);
    response.end(body);
  };

  return {
    learn: (target, route) => {
      if (routes.has(target) || target.length > LONGEST_TARGET) return;
      if (routes.size >= MOST_TARGETS) dropFirst(routes);
      routes.set(target, route);
    },
    open: (headers) => {
      common = headers;
    },
    answer: (raw, response) => {
      if (!common || !isPlain(raw) || isClosing() || !buffers.haveRoomFor(0)) return false;
      const route = routes.get(raw.url ?? '');
      const ready = route?.find();
      if (!route || !ready) return false;
      send(raw, response, requestIdOf(raw), route, ready);
      return true;
    },
  };
}

/** Whether nothing but its target says what its answer is. */
const isPlain = ({ method, httpVersionMajor, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  httpVersionMajor > 0 &&
  headers['if-none-match'] === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  !headers.host?.includes(',');
