import type { Bus, Served } from '@joblisting/bus';
import type { Mongo } from '../mongo.ts';
import { busObserver, watchBus, watchServed } from './bus-metrics.ts';
import { watchDatabase } from './database-metrics.ts';
import { traceDatabase } from './database-spans.ts';
import { createMetrics } from './metrics.ts';
import { watchProcess } from './process-metrics.ts';
import type { Tracing, TracingOptions } from './tracing.ts';

interface TelemetryOptions extends Omit<TracingOptions, 'endpoint'> {
  /** Without one no trace is recorded. */
  readonly endpoint: TracingOptions['endpoint'] | undefined;
  /** Whether `/metrics` is served. */
  readonly isScraped: boolean;
}

/** The metrics of a service and, if recorded, its part in traces. */
export async function startTelemetry({ endpoint, isScraped, ...options }: TelemetryOptions) {
  const metrics = createMetrics();
  if (isScraped) watchProcess(metrics, options.version);
  let tracing: Tracing | undefined;
  if (endpoint !== undefined) {
    // Loaded only if wanted: the SDK takes a tenth of a second and 20 MB.
    const { startTracing } = await import('./tracing.ts');
    tracing = startTracing({ ...options, endpoint }, metrics);
  }
  return {
    metrics,
    tracing,
    observer: busObserver(metrics, tracing),
    watchBus: (bus: Bus) => watchBus(metrics, bus),
    watchDatabase: (mongo: Mongo) => {
      watchDatabase(metrics, mongo);
      if (tracing) traceDatabase(mongo, tracing.tracer);
    },
    watchServed: (served: Served, limit: number) => watchServed(metrics, served, limit),
  };
}
