import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  AlwaysOnSampler,
  ParentBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { withTimeout } from '../batching.ts';
import type { Metrics } from './metrics.ts';
import type { TraceParent } from './trace-parent.ts';

export interface TracingOptions {
  readonly service: string;
  readonly version: string;
  /** Of an OTLP receiver, without `/v1/traces`. */
  readonly endpoint: string;
  /** The part of the traces that is recorded, 0 to 1. */
  readonly ratio: number;
}

export type Tracing = ReturnType<typeof startTracing>;

const SEND_EVERY_MS = 1000;
const SEND_LIMIT_MS = 3000;
const LAST_SEND_LIMIT_MS = 1000;

/** Records spans and sends them by OTLP over HTTP, in batches, in the background. */
export function startTracing({ service, version, endpoint, ratio }: TracingOptions, metrics: Metrics) {
  // Without a receiver, 2048 spans wait; more are dropped.
  const processor = new BatchSpanProcessor(countedExporter(endpoint, metrics), {
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SEND_LIMIT_MS,
  });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.namespace': 'job-listing',
      'service.version': version,
      'service.instance.id': `${process.env['HOSTNAME'] ?? 'local'}-${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [processor],
  });
  provider.register();
  const tracer = provider.getTracer('@joblisting/service-kit', version);
  const isSampled = (): boolean => Math.random() < ratio;

  return {
    tracer,

    /** Decides at random whether a new trace is recorded, before a span is made: most requests need none. */
    isSampled,

    /**
     * Starts the span of a request from outside, or none if it is not recorded. Chance decides, even if the client
     * records the trace: otherwise any client could have all of its requests recorded.
     */
    startRequest: (name: string, attributes: Attributes, parent?: TraceParent): Span | undefined => {
      if (!isSampled()) return undefined;
      const parentContext =
        parent && trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: TraceFlags.SAMPLED });
      return tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parentContext ?? ROOT_CONTEXT);
    },

    /** Sends the remaining spans, for at most a second. */
    stop: async (): Promise<void> => {
      await withTimeout(provider.shutdown(), LAST_SEND_LIMIT_MS).catch(() => undefined);
      // Undoes `register`.
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}

/** Counts the spans that were sent, and those that were lost. */
function countedExporter(endpoint: string, metrics: Metrics): OTLPTraceExporter {
  const exported = metrics.counter({
    name: 'trace_spans_exported_total',
    help: 'Spans given to the OTLP receiver, by result: sent or lost.',
    labelNames: ['result'],
  });
  class CountedExporter extends OTLPTraceExporter {
    override export(...[spans, done]: Parameters<OTLPTraceExporter['export']>): void {
      super.export(spans, (result) => {
        exported.inc({ result: result.error === undefined ? 'sent' : 'lost' }, spans.length);
        done(result);
      });
    }
  }
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  return new CountedExporter({ url, timeoutMillis: SEND_LIMIT_MS });
}
