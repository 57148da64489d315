import { ROOT_CONTEXT, SpanKind as Kind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { Span, SpanKind, SpanStart, Tracing } from './span.ts';
import { type TraceParent, writeTraceparent } from './trace-parent.ts';

export interface TracingOptions {
  readonly service: string;
  readonly version: string;
  /** Of the OTLP receiver, without `/v1/traces`. */
  readonly endpoint: string;
  /** The part of the traces that is recorded, 0 to 1. */
  readonly ratio: number;
  readonly random: () => number;
  /** Hears how many spans were sent, or lost. */
  readonly exported: (spans: number, isSent: boolean) => void;
}

/** A receiver that is away costs these many spans, and nothing else: what comes on top is dropped. */
const QUEUE = 2048;
const SEND_EVERY_MS = 1000;
const SEND_LIMIT_MS = 3000;
const LAST_SEND_LIMIT_MS = 1000;

const kinds: Record<SpanKind, Kind> = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  producer: Kind.PRODUCER,
  consumer: Kind.CONSUMER,
};

/** Records spans and sends them by OTLP over HTTP, in batches, in the background. */
export function openTelemetry(options: TracingOptions): Tracing {
  const { service, version, ratio, random } = options;
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.namespace': 'job-listing',
      'service.version': version,
      'service.instance.id': `${process.env['HOSTNAME'] ?? 'local'}-${process.pid}`,
    }),
    // Decided here, before anything is made of a request that is not recorded.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [
      new BatchSpanProcessor(exporterTo(options), {
        maxQueueSize: QUEUE,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_LIMIT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('@joblisting/service-kit', version);

  const begin = ({ name, kind, parent, links = [], attributes = {} }: SpanStart): Span => {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : ROOT_CONTEXT;
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes, links: links.map((link) => ({ context: contextOf(link) })) },
      context,
    );
    const own = span.spanContext();
    let ended = false;
    return {
      traceparent: writeTraceparent(own, true),
      begin: (childName, childKind, childAttributes = {}) =>
        begin({ name: childName, kind: childKind, parent: own, attributes: childAttributes }),
      set: (more) => void span.setAttributes(more),
      end: (error) => {
        ended = true;
        if (error !== undefined) {
          span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR, message: error });
        }
        span.end();
      },
      hasEnded: () => ended,
    };
  };

  return {
    sample: () => random() < ratio,
    begin,
    stop: async () => {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const limit = setTimeout(resolve, LAST_SEND_LIMIT_MS);
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(limit);
    },
  };
}

const contextOf = ({ traceId, spanId }: TraceParent) => ({
  traceId,
  spanId,
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
});

function exporterTo({ endpoint, exported }: TracingOptions): SpanExporter {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: SEND_LIMIT_MS,
  });
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        exported(spans.length, result.error === undefined);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}
