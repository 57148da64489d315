import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { withTimeout } from '../batching.ts';
import { remoteContext, type TraceParent } from './trace-parent.ts';

/** Records spans and sends them by OTLP over HTTP, in batches, in the background. */
export interface Tracing {
  readonly tracer: Tracer;
  /**
   * Starts the span of a request from outside, or none where it is not recorded. Chance decides, even if the client
   * says that it records the trace: otherwise anybody could have all of their requests recorded.
   */
  readonly startRequest: (
    name: string,
    attributes: Attributes,
    parent: TraceParent | undefined,
  ) => Span | undefined;
  /** Sends what is left, for at most a second. */
  readonly stop: () => Promise<void>;
}

export interface TracingOptions {
  readonly service: string;
  readonly version: string;
  /** Of the OTLP receiver, without `/v1/traces`. */
  readonly endpoint: string;
  /** The part of the traces that is recorded, 0 to 1. */
  readonly ratio: number;
  /** Called with how many spans were sent, or lost. */
  readonly onExport: (spans: number, isSent: boolean) => void;
}

/** While the receiver is away, this many spans wait; more are dropped. */
const QUEUE = 2048;
const SEND_EVERY_MS = 1000;
const SEND_LIMIT_MS = 3000;
const LAST_SEND_LIMIT_MS = 1000;

export function startTracing(options: TracingOptions): Tracing {
  const { service, version, ratio } = options;
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': service,
      'service.namespace': 'job-listing',
      'service.version': version,
      'service.instance.id': `${process.env['HOSTNAME'] ?? 'local'}-${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor(exporterOf(options), {
        maxQueueSize: QUEUE,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_LIMIT_MS,
      }),
    ],
  });
  provider.register();
  const tracer = provider.getTracer('@joblisting/service-kit', version);

  return {
    tracer,
    startRequest: (name, attributes, parent) => {
      const parentContext = parent ? remoteContext(parent, Math.random() < ratio) : ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parentContext);
      return span.isRecording() ? span : undefined;
    },
    stop: async () => {
      await withTimeout(provider.shutdown(), LAST_SEND_LIMIT_MS).catch(() => undefined);
      // What `register` set.
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}

function exporterOf({ endpoint, onExport }: TracingOptions): SpanExporter {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: SEND_LIMIT_MS,
  });
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        onExport(spans.length, result.error === undefined);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}
