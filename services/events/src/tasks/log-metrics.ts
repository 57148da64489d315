import type { Metrics } from '@joblisting/service-kit';

export type LogMetrics = ReturnType<typeof logMetrics>;

/** What the writing of the log is doing in this replica. */
export function logMetrics(metrics: Metrics) {
  let isLeading = false;
  /** By stream, epoch milliseconds. */
  const behindSince = new Map<string, number>();
  metrics.gauge(
    {
      name: 'events_oldest_unlogged_age_seconds',
      help: 'Age of the oldest message that is not in the change log yet, as the leader knows; 0 where there is none.',
    },
    () => {
      const oldest = Math.min(...behindSince.values());
      return oldest === Infinity ? 0 : Math.max(0, Date.now() - oldest) / 1000;
    },
  );
  metrics.gauge({ name: 'events_log_leads', help: '1 where this replica writes the change log.' }, () =>
    Number(isLeading),
  );
  const logged = metrics.counter({ name: 'events_logged_total', help: 'Events added to the change log.' });
  const gaps = metrics.counter({
    name: 'events_stream_gaps_total',
    help: 'How often messages were lost before they were logged, after which all cursors expired.',
  });
  const skipped = metrics.counter({
    name: 'events_messages_skipped_total',
    help: 'Messages that this release could not read and did not log.',
  });

  return {
    leads: () => {
      isLeading = true;
    },
    /** Another replica leads, and that one reports how far it is behind. */
    follows: () => {
      isLeading = false;
      behindSince.clear();
    },
    behindSince: (stream: string, since: number) => void behindSince.set(stream, since),
    caughtUp: (stream: string) => void behindSince.delete(stream),
    logged: (events: number) => logged.inc(events),
    gap: () => gaps.inc(),
    skipped: () => skipped.inc(),
  };
}
