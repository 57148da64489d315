import { type Observation, unobserved } from '@joblisting/bus';
import { context, propagation, ROOT_CONTEXT, SpanKind, type SpanOptions, trace } from '@opentelemetry/api';
import type { Tracing } from './tracing.ts';
import { activeSpan, contextOfSpan, endSpan, traceparentOf } from './trace-parent.ts';

/** Outcomes that are errors of the service. The others report an error of the request. */
const SERVER_ERRORS = new Set(['internal', 'unavailable', 'overloaded', 'deadline_exceeded']);

/** Whether the sender records the trace (W3C Trace Context, section 3.2.2.5.1). */
const isRecorded = (traceparent?: string): boolean => /[13579bdf]$/.test(traceparent ?? '');

const contextFrom = (traceparent?: string) => propagation.extract(ROOT_CONTEXT, { traceparent });

/** Spans of messages on the bus: of those whose sender records the trace. Without tracing, traceparents are passed on. */
export function busSpans(tracing: Tracing | undefined) {
  const start = (
    subject: string,
    kind: SpanKind,
    parent = ROOT_CONTEXT,
    options: SpanOptions = {},
  ): Observation | undefined => {
    const attributes = { 'messaging.system': 'nats', 'messaging.destination.name': subject };
    const span = tracing?.tracer.startSpan(subject, { kind, attributes, ...options }, parent);
    if (!span?.isRecording()) return undefined;
    return {
      traceparent: traceparentOf(span),
      run: (work) => context.with(contextOfSpan(span), work),
      end: (outcome) => endSpan(span, { outcome }, SERVER_ERRORS.has(outcome) ? outcome : undefined),
    };
  };

  return {
    request: (subject: string, kind: SpanKind, traceparent?: string): Observation =>
      (isRecorded(traceparent) && start(subject, kind, contextFrom(traceparent))) || unobserved(traceparent),

    publish: (subject: string): Observation => {
      const parent = activeSpan() && context.active();
      const isWanted = parent !== undefined || tracing?.isSampled() === true;
      return (isWanted && start(subject, SpanKind.PRODUCER, parent)) || unobserved();
    },

    /** A batch continues the trace of its first event, and links to those of the others. */
    consume: (subject: string, traceparents: readonly string[]): Observation => {
      const [first, ...others] = traceparents.map(contextFrom);
      const links = others.flatMap((other) => {
        const spanContext = trace.getSpanContext(other);
        return spanContext ? { context: spanContext } : [];
      });
      return (first && start(subject, SpanKind.CONSUMER, first, { links })) ?? unobserved();
    },
  };
}
