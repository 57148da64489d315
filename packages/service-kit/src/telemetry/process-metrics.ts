import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics } from 'prom-client';
import type { Metrics } from './metrics.ts';

/**
 * How often the lag of the event loop is sampled. The lag includes it, so dashboards and alerts expect something near
 * prom-client's 10 ms; twice that costs an idle process a quarter of a percent of a core.
 */
const SAMPLE_EVERY_MS = 20;

/** CPU, memory, garbage collection and event loop of this process. */
export function watchProcess(metrics: Metrics, version: string): void {
  collectDefaultMetrics({ register: metrics.registry, eventLoopMonitoringPrecision: SAMPLE_EVERY_MS });
  let before = performance.eventLoopUtilization();
  metrics.gauge(
    {
      name: 'nodejs_eventloop_utilization_ratio',
      help: 'The part of the time since the last scrape in which the event loop was busy.',
    },
    () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
  );
  metrics.gauge(
    { name: 'service_info', help: 'Which version runs: always 1.', labelNames: ['version'] },
    () => [{ labels: { version }, value: 1 }],
  );
}
