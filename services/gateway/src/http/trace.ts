import { type TraceParent, writeTraceparent } from '@joblisting/service-kit';
import { randomText } from './random-text.ts';

const randomHex = (size: number): string => randomText(size, 'hex');

/**
 * The traceparent of this service's part where nobody records it: the caller's trace id if it sent a valid one, a new
 * trace else. Whether the caller records its own part is no reason to record this one: then anybody could ask for
 * all of it.
 */
export function continueTrace(parent: TraceParent | undefined, hex = randomHex): string {
  if (parent) return writeTraceparent({ traceId: parent.traceId, spanId: hex(8) }, false);
  const drawn = hex(24);
  return writeTraceparent({ traceId: drawn.slice(16), spanId: drawn.slice(0, 16) }, false);
}
