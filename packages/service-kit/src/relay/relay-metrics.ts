import type { Metrics } from '../telemetry/metrics.ts';

export type RelayMetrics = ReturnType<typeof relayMetrics>;

/** What the relay of this replica is doing. */
export function relayMetrics(metrics: Metrics) {
  let isLeading = false;
  /** Epoch milliseconds. */
  let behindSince: number | undefined;
  metrics.gauge(
    {
      name: 'relay_oldest_change_age_seconds',
      help: 'Age of the oldest change that is not published yet, as the leader knows; 0 where there is none.',
    },
    () => (behindSince === undefined ? 0 : Math.max(0, Date.now() - behindSince) / 1000),
  );
  metrics.gauge({ name: 'relay_leads', help: '1 where this replica publishes the changes.' }, () =>
    Number(isLeading),
  );
  const published = metrics.counter({
    name: 'relay_changes_published_total',
    help: 'Changes published.',
  });
  const positionsLost = metrics.counter({
    name: 'relay_positions_lost_total',
    help: 'How often the oplog did not reach back to the last change published.',
  });

  const skipped = metrics.counter({
    name: 'relay_changes_skipped_total',
    help: 'Changes that this release could not read and did not publish.',
  });

  return {
    /** Counts as behind until it has caught up, because changes may wait that it has not read. */
    leads: () => {
      isLeading = true;
      behindSince ??= Date.now();
    },
    /** Another replica leads, and that one reports how far it is behind. */
    follows: () => {
      isLeading = false;
      behindSince = undefined;
    },
    behindSince: (since: number) => {
      behindSince = since;
    },
    caughtUp: () => {
      behindSince = undefined;
    },
    published: (changes: number) => published.inc(changes),
    skipped: () => skipped.inc(),
    positionLost: () => positionsLost.inc(),
  };
}
