import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { networkOf } from '@joblisting/service-kit/http';

/** The most requests of one address that are started in one turn of the event loop. */
const MOST_OF_A_TURN = 8;

interface Turn {
  started: number;
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[];
}

/**
 * Keeps the turns of the event loop short, whatever one address sends: node accepts one connection a turn, and each
 * request takes several. Past the limit requests start in the next turns, in their order.
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
      const next = waiting.splice(0, MOST_OF_A_TURN);
      if (next.length === 0) {
        turns.delete(network);
        continue;
      }
      turns.set(network, { started: next.length, waiting });
      planNext();
      for (const [request, response] of next) if (!request.socket.destroyed) handle(request, response);
    }
  };

  return (request, response) => {
    const { remoteAddress = '' } = request.socket;
    if (isProxy(remoteAddress)) {
      handle(request, response);
      return;
    }
    const network = networkOf(remoteAddress);
    const turn = turns.get(network) ?? { started: 0, waiting: [] };
    turns.set(network, turn);
    planNext();
    if (turn.started < MOST_OF_A_TURN) {
      turn.started++;
      handle(request, response);
    } else turn.waiting.push([request, response]);
  };
}
