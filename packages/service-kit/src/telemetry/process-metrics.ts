import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics } from 'prom-client';
import type { Metrics } from './metrics.ts';

/**
 * How often the event loop is looked at. Its lag, as it is told, includes this. By default every 10 ms: each look wakes
 * an idle process, for 40 to 80 µs.
 */
const LOOK_EVERY_MS = 200;

/** CPU, memory, garbage collection and event loop of this process. */
export function watchProcess(metrics: Metrics, version: string): void {
  collectDefaultMetrics({ register: metrics.registry, eventLoopMonitoringPrecision: LOOK_EVERY_MS });
  let before = performance.eventLoopUtilization();
  metrics.gauge(
    {
      name: 'nodejs_eventloop_utilization_ratio',
      help: 'The part of the time since the last look in which the event loop was busy.',
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
