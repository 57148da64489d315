import { type Log, requestLog, traceIdOf } from '@joblisting/service-kit';
import type { EndedRequest, TellEnd } from './ended.ts';

const LONGEST_PATH = 500;

/** One line for each request. Neither keys nor queries are in it. */
export function logRequests(log: Log): TellEnd {
  const lines = requestLog(log);
  return ({ traceparent, path, quiet, route: _route, ...rest }: EndedRequest) => {
    const level = quiet ? 'debug' : 'info';
    if (!lines.isLevelEnabled(level)) return;
    lines[level]({ ...rest, traceId: traceIdOf(traceparent), path: path.slice(0, LONGEST_PATH) }, 'request');
  };
}
