import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Tracing } from '@joblisting/service-kit';
import type { Buffers } from './buffers.ts';
import { openTrace, requestIdOf } from './call.ts';
import { type TellEnd, tellEnd } from './ended.ts';

/** What answers before the router sees a request need of what its hooks do on the whole way. */
export interface ShortWayDoors {
  readonly tell: TellEnd;
  readonly tracing: Tracing | undefined;
  readonly buffers: Buffers;
  readonly isClosing: () => boolean;
  /** Counts a request as under way until its response is closed. */
  readonly countIn: (response: ServerResponse) => void;
}

/** What the router would have found. */
interface Found {
  readonly operation: string;
  /** As the router has it. */
  readonly route: string;
  readonly path: string;
}

/** What is known when the response is closed. */
interface Outcome {
  readonly outcome: string;
  readonly consumerId?: number;
}

/**
 * Begins what the hooks begin with a request: it is counted as under way, traced, and told of once it has ended.
 * Returns the ids that go on its answer.
 */
export function beginShortWay(
  raw: IncomingMessage,
  response: ServerResponse,
  { operation, route, path }: Found,
  { tell, tracing, countIn }: ShortWayDoors,
  outcomeNow: () => Outcome,
): { readonly requestId: string; readonly traceparent: string } {
  const arrivedAt = performance.now();
  const { method = '' } = raw;
  const requestId = requestIdOf(raw);
  const trace = openTrace(tracing, raw, { method, route, requestId });
  countIn(response);
  tellEnd(response, { arrivedAt, ...trace }, tell, () => ({
    requestId,
    operation,
    method,
    route,
    path,
    status: response.statusCode,
    ...outcomeNow(),
  }));
  return { requestId, traceparent: trace.traceparent };
}
