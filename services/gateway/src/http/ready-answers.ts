import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadyAnswer } from '../cache/answers.ts';
import { JSON_TYPE } from '../errors/accept.ts';
import { dropFirst } from '../limits/drop-first.ts';
import { pathOf } from './path.ts';
import { isPlainGet } from './plain.ts';
import { beginShortWay, type ShortWayDoors } from './short-way.ts';

/** A route whose answers to anyone are kept. */
export interface ReadyRoute {
  readonly operation: string;
  /** As the router has it. */
  readonly url: string;
  readonly cacheControl: string;
  readonly find: () => ReadyAnswer | undefined;
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
const OK = { outcome: 'ok' };

/**
 * Answers requests whose answer is there already before the router sees them. What the whole way does is the same for
 * all of them, and was done for the first one: its target was read and found right, and nothing in its headers matters.
 * Worth: a third of a public answer.
 */
export function answerReady(doors: ShortWayDoors): ReadyAnswers {
  const { buffers, isClosing } = doors;
  const routes = new Map<string, ReadyRoute>();

  const send = (
    raw: IncomingMessage,
    response: ServerResponse,
    common: readonly string[],
    { operation, url: route, cacheControl }: ReadyRoute,
    { body, tag, length }: ReadyAnswer,
  ): void => {
    const found = { operation, route, path: pathOf(raw.url ?? '') };
    const { requestId, traceparent } = beginShortWay(raw, response, found, doors, () => OK);
    buffers.awaitClient(response, 2 * body.length);
    const ids = ['request-id', requestId, 'traceparent', traceparent];
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
