/** What a traceparent header names: a trace, and the span in it that what follows is part of. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
}

const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<trace>[0-9a-f]{32})-(?!0{16})(?<span>[0-9a-f]{16})-[0-9a-f]{2}(?<more>-.*)?$/;
const LENGTH = 55;

/**
 * Reads a traceparent header; undefined where it is none (W3C Trace Context, section 3.2). A later version is read by
 * the four fields of 00 (section 3.3). Whether its sender records the trace is not told: that is everybody's own
 * decision.
 */
export function readTraceparent(sent: unknown): TraceParent | undefined {
  const fields = typeof sent === 'string' ? TRACEPARENT.exec(sent)?.groups : undefined;
  if (!fields || (fields['version'] === '00' && fields['more'] !== undefined)) return undefined;
  return { traceId: String(fields['trace']), spanId: String(fields['span']) };
}

export const writeTraceparent = ({ traceId, spanId }: TraceParent, isRecorded: boolean): string =>
  `00-${traceId}-${spanId}-${isRecorded ? '01' : '00'}`;

/** Whether the sender records the trace. Only for what comes over the bus: anybody can say so of a request to the front door. */
export const isRecorded = (traceparent: string | undefined): traceparent is string =>
  traceparent?.length === LENGTH && traceparent.endsWith('1');

/** The trace id out of a traceparent that was written here. */
export const traceIdOf = (traceparent: string | undefined): string | undefined => traceparent?.slice(3, 35);
