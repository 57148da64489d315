import { type TraceParent, writeTraceparent } from '@joblisting/service-kit';
import { randomBytes } from './random-bytes.ts';

/**
 * The traceparent of this service's part where nobody records it: the caller's trace id if it sent a valid one, a new
 * trace else. Whether the caller records its own part is no reason to record this one: then anybody could ask for
 * all of it.
 */
export function continueTrace(parent: TraceParent | undefined, bytes = randomBytes): string {
  const spanId = bytes(8).toString('hex');
  const traceId = parent?.traceId ?? bytes(16).toString('hex');
  return writeTraceparent({ traceId, spanId }, false);
}
