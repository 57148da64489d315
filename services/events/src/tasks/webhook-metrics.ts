import type { AttemptOutcome } from '@joblisting/contracts';
import type { Clock, Metrics } from '@joblisting/service-kit';
import type { WorkStore } from '../store/work-store.ts';

export type WebhookMetrics = ReturnType<typeof webhookMetrics>;

/** How webhooks are doing. States and waiting are the same in all replicas. */
export function webhookMetrics(metrics: Metrics, work: WorkStore, clock: Clock) {
  metrics.gauge(
    {
      name: 'events_webhooks_oldest_waiting_seconds',
      help: 'Age of the oldest event that was not tried yet for a webhook whose receiver answers; 0 where there is none.',
    },
    async () => {
      const now = clock.now();
      const oldest = await work.oldestWaiting(now);
      return oldest === undefined ? 0 : Math.max(0, now - oldest) / 1000;
    },
  );
  metrics.gauge(
    {
      name: 'events_webhooks',
      help: 'Webhooks by state: enabled, failing since their last attempt, or disabled.',
      labelNames: ['state'],
    },
    async () =>
      Object.entries(await work.countByState()).map(([state, value]) => ({ labels: { state }, value })),
  );
  const attempts = metrics.counter({
    name: 'events_webhook_attempts_total',
    help: 'Attempts to send an event to a webhook, by outcome.',
    labelNames: ['outcome'],
  });
  return { attempted: (outcome: AttemptOutcome) => attempts.inc({ outcome }) };
}
