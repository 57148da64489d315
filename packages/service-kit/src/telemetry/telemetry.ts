import type { Bus, BusObserver, Served } from '@joblisting/bus';
import type { Mongo } from '../mongo.ts';
import { busMetrics, watchBus, watchServed } from './bus-metrics.ts';
import { busTraces, noBusTraces } from './bus-traces.ts';
import { watchDatabase } from './database-metrics.ts';
import { traceDatabase } from './database-spans.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { watchProcess } from './process-metrics.ts';
import type { Tracing } from './span.ts';

export interface TelemetryOptions {
  readonly service: string;
  readonly version: string;
  /** Of an OTLP receiver; without one no trace is recorded. */
  readonly endpoint: string | undefined;
  readonly ratio: number;
  /** Whether somebody can ask for the metrics. */
  readonly isAsked: boolean;
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
  const tracing = await startTracing(options, metrics);
  if (options.isAsked) watchProcess(metrics, options.version);
  return {
    metrics,
    tracing,
    observer: { ...busMetrics(metrics), ...(tracing ? busTraces(tracing) : noBusTraces) },
    watchBus: (bus) => watchBus(metrics, bus),
    watchDatabase: (mongo) => {
      watchDatabase(metrics, mongo);
      if (tracing) traceDatabase(mongo);
    },
    watchServed: (served, limit) => watchServed(metrics, served, limit),
  };
}

async function startTracing(
  { service, version, endpoint, ratio }: TelemetryOptions,
  metrics: Metrics,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined;
  const spans = metrics.counter({
    name: 'trace_spans_exported_total',
    help: 'Spans given to the OTLP receiver, by what became of them: sent or lost.',
    labelNames: ['result'],
  });
  // Loading it takes a tenth of a second and 20 MB: only where it is wanted.
  const { openTelemetry } = await import('./open-telemetry.ts');
  return openTelemetry({
    service,
    version,
    endpoint,
    ratio,
    random: Math.random,
    exported: (count, isSent) => spans.inc({ result: isSent ? 'sent' : 'lost' }, count),
  });
}
