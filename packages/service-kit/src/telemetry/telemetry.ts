import type { Bus, BusObserver, Served } from '@joblisting/bus';
import type { Mongo } from '../mongo.ts';
import { busObserver, watchBus, watchServed } from './bus-metrics.ts';
import { watchDatabase } from './database-metrics.ts';
import { traceDatabase } from './database-spans.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { watchProcess } from './process-metrics.ts';
import type { Tracing } from './tracing.ts';

export interface TelemetryOptions {
  readonly service: string;
  readonly version: string;
  /** Of an OTLP receiver; without one no trace is recorded. */
  readonly endpoint: string | undefined;
  /** The part of the traces that is recorded, 0 to 1. */
  readonly ratio: number;
  /** Whether `/metrics` is served. */
  readonly isScraped: boolean;
}

/** What can be seen of a service from outside: its metrics, and its part in traces. */
export interface Telemetry {
  readonly metrics: Metrics;
  /** Undefined where traces are not recorded. */
  readonly tracing: Tracing | undefined;
  readonly observer: BusObserver;
  readonly watchBus: (bus: Bus) => void;
  readonly watchDatabase: (mongo: Mongo) => void;
  readonly watchServed: (served: Served, limit: number) => void;
}

export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const metrics = createMetrics();
  const tracing = await tracingOf(options, metrics);
  if (options.isScraped) watchProcess(metrics, options.version);
  return {
    metrics,
    tracing,
    observer: busObserver(metrics, tracing?.tracer),
    watchBus: (bus) => watchBus(metrics, bus),
    watchDatabase: (mongo) => {
      watchDatabase(metrics, mongo);
      if (tracing) traceDatabase(mongo, tracing.tracer);
    },
    watchServed: (served, limit) => watchServed(metrics, served, limit),
  };
}

async function tracingOf(
  { service, version, endpoint, ratio }: TelemetryOptions,
  metrics: Metrics,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const exported = metrics.counter({
    name: 'trace_spans_exported_total',
    help: 'Spans given to the OTLP receiver, by result: sent or lost.',
    labelNames: ['result'],
  });
  const onExport = (count: number, isSent: boolean) =>
    exported.inc({ result: isSent ? 'sent' : 'lost' }, count);
  // The SDK takes a tenth of a second and 20 MB to load: only where it is wanted.
  const { startTracing } = await import('./tracing.ts');
  return startTracing({ service, version, endpoint, ratio, onExport });
}
