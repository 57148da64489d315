import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** CPU, memory, garbage collection and event loop of this process. */
export function watchProcess(metrics: Metrics, version: string): void {
  collectDefaultMetrics({ register: metrics.registry });
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
