import type { Observation } from '@joblisting/bus';
import {
  context,
  type Context,
  type Link,
  ROOT_CONTEXT,
  SpanKind,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import {
  activeSpan,
  contextOfSpan,
  endSpan,
  isRecorded,
  readTraceparent,
  remoteContext,
  traceparentOf,
} from './trace-parent.ts';

/** Outcomes that are errors of the service. With others, the caller was told what is wrong with its request. */
const SERVER_ERRORS = new Set(['internal', 'unavailable', 'overloaded', 'deadline_exceeded']);

const noSpan = (traceparent?: string): Observation => ({
  traceparent,
  run: (work) => work(),
  end: () => undefined,
});

/** Spans of messages on the bus, in traces that their sender records. Without a tracer, traceparents are passed on. */
export function busSpans(tracer: Tracer | undefined) {
  const start = (
    subject: string,
    kind: SpanKind,
    parent: Context,
    more: { attributes?: Record<string, number>; links?: Link[] } = {},
  ): Observation => {
    if (!tracer) return noSpan();
    const attributes = {
      'messaging.system': 'nats',
      'messaging.destination.name': subject,
      ...more.attributes,
    };
    const span = tracer.startSpan(subject, { ...more, kind, attributes }, parent);
    if (!span.isRecording()) return noSpan();
    return {
      traceparent: traceparentOf(span),
      run: (work) => context.with(contextOfSpan(span), work),
      end: (outcome) => endSpan(span, { outcome }, SERVER_ERRORS.has(outcome) ? outcome : undefined),
    };
  };

  return {
    request: (subject: string, kind: SpanKind, traceparent?: string): Observation => {
      const parent = tracer && isRecorded(traceparent) ? readTraceparent(traceparent) : undefined;
      return parent ? start(subject, kind, remoteContext(parent, true)) : noSpan(traceparent);
    },
    publish: (subject: string): Observation =>
      start(subject, SpanKind.PRODUCER, activeSpan() ? context.active() : ROOT_CONTEXT),
    consume: (subject: string, batchSize: number, traceparents: readonly string[]): Observation => {
      const [parent, ...others] = traceparents
        .filter(isRecorded)
        .flatMap((sent) => readTraceparent(sent) ?? []);
      if (!parent) return noSpan();
      return start(subject, SpanKind.CONSUMER, remoteContext(parent, true), {
        attributes: { 'messaging.batch.message_count': batchSize },
        links: others.map((other) => ({ context: { ...other, traceFlags: TraceFlags.SAMPLED } })),
      });
    },
  };
}
