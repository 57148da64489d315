import { randomBytes } from './random-bytes.ts';

const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<trace>[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/;

/**
 * The traceparent of this service's part: the caller's trace id and flags where it sent a valid one, a new trace
 * else (W3C Trace Context, section 3.2). A later version is read by the four fields of 00 (section 3.3).
 */
export function continueTrace(sent: unknown, bytes = randomBytes): string {
  const fields = typeof sent === 'string' ? TRACEPARENT.exec(sent)?.groups : undefined;
  const spanId = bytes(8).toString('hex');
  if (!fields || (fields['version'] === '00' && fields['more'] !== undefined)) {
    return `00-${bytes(16).toString('hex')}-${spanId}-00`;
  }
  return `00-${fields['trace']}-${spanId}-${fields['flags']}`;
}
