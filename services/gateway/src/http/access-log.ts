import { type Log, requestLog, traceIdOf } from '@joblisting/service-kit';
import type { EndedRequest, TellEnd } from './ended.ts';

const LONGEST_PATH = 500;

/** One line for each request. Neither keys nor queries are in it. */
export function logRequests(log: Log): TellEnd {
  const lines = requestLog(log);
  return (ended: EndedRequest) => {
    const level = ended.quiet ? 'debug' : 'info';
    if (!lines.isLevelEnabled(level)) return;
    const { requestId, operation, method, status, outcome, durationMs, consumerId, aborted } = ended;
    const traceId = traceIdOf(ended.traceparent);
    const path = ended.path.slice(0, LONGEST_PATH);
    lines[level](
      { requestId, operation, method, status, outcome, durationMs, consumerId, aborted, traceId, path },
      'request',
    );
  };
}
