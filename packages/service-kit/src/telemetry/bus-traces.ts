import type { BusObserver, TracedWork } from '@joblisting/bus';
import { currentSpan, runIn, type Span, type SpanKind, type Tracing } from './span.ts';
import { isRecorded, readTraceparent } from './trace-parent.ts';

export type BusTraces = Pick<
  BusObserver,
  'traceAsking' | 'traceServing' | 'tracePublishing' | 'traceConsuming'
>;

const nothing = () => undefined;

/** For a service that records no traces: it passes on what it gets. */
export const noBusTraces: BusTraces = {
  traceAsking: nothing,
  traceServing: nothing,
  tracePublishing: nothing,
  traceConsuming: nothing,
};

/** Outcomes of requests that are no errors of whoever serves them: the caller was told what is wrong with his. */
const SERVER_ERRORS = new Set(['internal', 'unavailable', 'overloaded', 'deadline_exceeded']);

/** Goes on with the traces that the caller records; of what nobody asked for, records its own part. */
export function busTraces(tracing: Tracing): BusTraces {
  const goOn = (name: string, kind: SpanKind, traceparent: string | undefined): TracedWork | undefined =>
    isRecorded(traceparent)
      ? workOf(
          tracing.begin({
            name,
            kind,
            parent: readTraceparent(traceparent),
            attributes: attributesOf(name),
          }),
        )
      : undefined;

  return {
    traceAsking: ({ subject }, { traceparent }) => goOn(subject, 'client', traceparent),
    traceServing: ({ subject }, { traceparent }) => goOn(subject, 'server', traceparent),
    tracePublishing: ({ subject }) => {
      const parent = currentSpan();
      if (parent) return workOf(parent.begin(subject, 'producer', attributesOf(subject)));
      if (!tracing.sample()) return undefined;
      return workOf(tracing.begin({ name: subject, kind: 'producer', attributes: attributesOf(subject) }));
    },
    traceConsuming: ({ subject }, cameFrom) => {
      const [parent, ...links] = cameFrom.filter(isRecorded).flatMap((each) => readTraceparent(each) ?? []);
      if (!parent) return undefined;
      const attributes = { ...attributesOf(subject), 'messaging.batch.message_count': cameFrom.length };
      return workOf(tracing.begin({ name: subject, kind: 'consumer', parent, links, attributes }));
    },
  };
}

const attributesOf = (subject: string) => ({
  'messaging.system': 'nats',
  'messaging.destination.name': subject,
});

const workOf = (span: Span): TracedWork => ({
  traceparent: span.traceparent,
  run: (work) => runIn(span, work),
  end: (outcome) => {
    span.set({ outcome });
    span.end(SERVER_ERRORS.has(outcome) ? outcome : undefined);
  },
});
