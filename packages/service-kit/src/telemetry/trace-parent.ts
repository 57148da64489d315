import { type Attributes, type Context, context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';

/** The content of a traceparent header: a trace, and the span that is the parent of what follows. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
}

const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?!0{32})(?<trace>[0-9a-f]{32})-(?!0{16})(?<span>[0-9a-f]{16})-[0-9a-f]{2}(?<more>-.*)?$/;

/**
 * Reads a traceparent header; undefined if it is none (W3C Trace Context, section 3.2). A later version is read by the
 * four fields of 00 (section 3.3). Ignores whether the sender records the trace, because a client can claim that.
 */
export function readTraceparent(sent: unknown): TraceParent | undefined {
  const fields = typeof sent === 'string' ? TRACEPARENT.exec(sent)?.groups : undefined;
  if (!fields || (fields['version'] === '00' && fields['more'] !== undefined)) return undefined;
  return { traceId: String(fields['trace']), spanId: String(fields['span']) };
}

export const writeTraceparent = ({ traceId, spanId }: TraceParent, isRecorded: boolean): string =>
  `00-${traceId}-${spanId}-${isRecorded ? '01' : '00'}`;

/** The trace id of a traceparent that this module wrote. */
export const traceIdOf = (traceparent: string | undefined): string | undefined => traceparent?.slice(3, 35);

/** The traceparent that continues after this span. */
export const traceparentOf = (span: Span): string => writeTraceparent(span.spanContext(), span.isRecording());

/**
 * The span of the running code. Undefined once its request has ended, even if work that the request started goes on.
 */
export function activeSpan(): Span | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() ? span : undefined;
}

export const contextOfSpan = (span: Span): Context => trace.setSpan(context.active(), span);

/** Ends a span. `error` is a code or the name of an error: messages may quote a client's data. */
export function endSpan(span: Span, attributes: Attributes, error?: string): void {
  span.setAttributes(attributes);
  if (error !== undefined) {
    span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR, message: error });
  }
  span.end();
}
