import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { networkOf } from './network.ts';

/** The most requests of one address that are started in one turn of the event loop. */
const MOST_OF_A_TURN = 16;

interface Turn {
  started: number;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Keeps the turns of the event loop short, whatever one address sends: node accepts one connection a turn, and a
 * request of somebody else takes several. Those over the limit are started in the next turns, in their order.
 */
export function shareTurns(handle: RequestListener): RequestListener {
  const turns = new Map<string, Turn>();
  let isNextPlanned = false;

  const planNext = (): void => {
    if (!isNextPlanned) setImmediate(startNext);
    isNextPlanned = true;
  };

  const startNext = (): void => {
    isNextPlanned = false;
    for (const [network, turn] of turns) {
      const next = turn.waiting.splice(0, MOST_OF_A_TURN);
      turn.started = next.length;
      if (turn.started === 0) turns.delete(network);
      else planNext();
      for (const [request, response] of next) if (!request.socket.destroyed) handle(request, response);
    }
  };

  return (request, response) => {
    const network = networkOf(request.socket.remoteAddress);
    const turn = turns.get(network) ?? { started: 0, waiting: [] };
    turns.set(network, turn);
    planNext();
    if (turn.started < MOST_OF_A_TURN) {
      turn.started++;
      handle(request, response);
    } else turn.waiting.push([request, response]);
  };
}
