import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { networkOf } from './network.ts';

/** The most requests of one address that are answered in the turn of the event loop in which they came. */
const MOST_AT_ONCE = 16;

interface Turn {
  answered: number;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Keeps the turns of the event loop short, whatever one address sends: node accepts one connection a turn, and a
 * request of somebody else takes several. Past the limit requests start in the next turns, in their order.
 * @param isProxy whether an address sends the requests of many clients: it has no limit
 */
export function shareTurns(handle: RequestListener, isProxy: (address: string) => boolean): RequestListener {
  const turns = new Map<string, Turn>();
  let isNextPlanned = false;

  const planNext = (): void => {
    if (!isNextPlanned) setImmediate(startNext);
    isNextPlanned = true;
  };

  const startNext = (): void => {
    isNextPlanned = false;
    for (const [network, { waiting }] of turns) {
      const next = waiting.splice(0, MOST_AT_ONCE);
      if (next.length === 0) {
        turns.delete(network);
        continue;
      }
      turns.set(network, { answered: next.length, waiting });
      planNext();
      for (const [request, response] of next) if (!request.socket.destroyed) handle(request, response);
    }
  };

  return (request, response) => {
    const { remoteAddress = '' } = request.socket;
    if (isProxy(remoteAddress)) return handle(request, response);
    const network = networkOf(remoteAddress);
    const turn = turns.get(network) ?? { answered: 0, waiting: [] };
    turns.set(network, turn);
    planNext();
    if (turn.answered >= MOST_AT_ONCE) {
      turn.waiting.push([request, response]);
      return undefined;
    }
    response.once('finish', () => turn.answered++);
    return handle(request, response);
  };
}
