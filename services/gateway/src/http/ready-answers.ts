import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tracing } from '@joblisting/service-kit';
import type { ReadyAnswer } from '../cache/answers.ts';
import { JSON_TYPE } from '../errors/accept.ts';
import { dropFirst } from '../limits/drop-first.ts';
import type { Buffers } from './buffers.ts';
import { openTrace, requestIdOf } from './call.ts';
import { type TellEnd, tellEnd } from './ended.ts';
import { pathOf } from './path.ts';
import { isPlainGet } from './plain.ts';

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
  /** Answers, where it can. @param common the headers that every answer carries, names and values in turn */
  readonly answer: (raw: IncomingMessage, response: ServerResponse, common: readonly string[]) => boolean;
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

  const send = (
    raw: IncomingMessage,
    response: ServerResponse,
    common: readonly string[],
    { operation, url: route, cacheControl }: ReadyRoute,
    { body, tag, length }: ReadyAnswer,
  ): void => {
    const arrivedAt = performance.now();
    const { method = '', url = '' } = raw;
    const requestId = requestIdOf(raw);
    const trace = openTrace(tracing, raw, { method, route, requestId });
    countIn(response);
    buffers.awaitClient(response, 2 * body.length);
    const path = pathOf(url);
    const outcome = { requestId, operation, method, route, path, status: 200, outcome: 'ok' };
    tellEnd(response, { arrivedAt, ...trace }, tell, () => outcome);
    const ids = ['request-id', requestId, 'traceparent', trace.traceparent];
    const kind = ['cache-control', cacheControl, 'etag', tag, 'content-type', JSON_TYPE];
    response.writeHead(200, [...common, ...ids, ...kind, 'content-length', length]);
    response.end(body);
  };

  return {
    learn: (target, route) => {
      if (routes.has(target) || target.length > LONGEST_TARGET) return;
      if (routes.size >= MOST_TARGETS) dropFirst(routes);
      routes.set(target, route);
    },
    answer: (raw, response, common) => {
      if (!isPlainGet(raw) || isClosing() || !buffers.haveRoomFor(0)) return false;
      const route = routes.get(raw.url ?? '');
      const ready = route?.find();
      if (!route || !ready) return false;
      send(raw, response, common, route, ready);
      return true;
    },
  };
}
