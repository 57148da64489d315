import type { Clock, Metrics } from '@joblisting/service-kit';
import type { OfOutboxes, OutboxStore } from '../store/outbox-store.ts';

/**
 * How far behind the relay is: a transition waits for little more than two seconds, unless the bus or the relay is away, or
 * many transitions of one company are being stored first.
 */
export function watchOutbox(metrics: Metrics, outboxes: OfOutboxes<OutboxStore>, clock: Clock): void {
  metrics.gauge(
    {
      name: 'outbox_oldest_event_age_seconds',
      help: 'Age of the oldest transition that is still to be published; 0 where there is none.',
    },
    async () => {
      const waiting = await Promise.all(Object.values(outboxes).map(({ waitingSince }) => waitingSince()));
      const oldest = Math.min(...waiting.filter((since) => since !== undefined));
      return oldest === Infinity ? 0 : Math.max(0, clock.now() - oldest) / 1000;
    },
  );
}
