import { JobListingError, type MetricsEvent } from '@joblisting/client';
import { EVENTS_MAX } from '@joblisting/contracts';
import { type Clock, growingPause, type Log, type Metrics, type TaskOutcome } from '@joblisting/service-kit';
import { type ApiClient, KeyMissing } from '../clients/api.ts';
import type { ReportedEvent, ReportStore } from '../store/report-store.ts';

interface SendDeps {
  readonly reports: ReportStore;
  readonly api: ApiClient;
  readonly log: Log;
  readonly outcomes: ReportOutcomes;
  readonly stopping: AbortSignal;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

const toMetricsEvent = ({ id, jobId, type, at }: ReportedEvent): MetricsEvent => ({
  id,
  jobId,
  type,
  at: new Date(at).toISOString(),
  source: 'site',
});

export type ReportOutcomes = ReturnType<typeof reportOutcomes>;

/** What became of events, how many wait, and for how long. */
export function reportOutcomes(metrics: Metrics, reports: ReportStore, clock: Clock) {
  metrics.gauge({ name: 'site_reports_waiting', help: 'Events that wait to be reported.' }, reports.waiting);
  metrics.gauge(
    {
      name: 'site_report_oldest_waiting_seconds',
      help: 'How long the oldest event has waited to be reported; 0 if none waits.',
    },
    async () => {
      const at = await reports.oldestAt();
      return at === undefined ? 0 : Math.max(0, clock.now() - at) / 1000;
    },
  );
  return metrics.counter({
    name: 'site_reports_total',
    help: 'Events that the API accepted, knew already or rejected, and those refused because too many wait.',
    labelNames: ['outcome'],
  });
}

/**
 * Sends waiting events and then deletes them. Where a crash comes between, or two replicas send the same ones, the API
 * counts each id once. After a failure it pauses, longer each time.
 */
export function sendingReports({ reports, api, log, outcomes, stopping }: SendDeps) {
  const pause = growingPause(FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

  const send = async (events: readonly ReportedEvent[]): Promise<void> => {
    const { data } = await api.report(events.map(toMetricsEvent), stopping);
    outcomes.inc({ outcome: 'accepted' }, data.accepted);
    outcomes.inc({ outcome: 'duplicate' }, data.duplicates);
    outcomes.inc({ outcome: 'rejected' }, data.rejected.length);
    await reports.remove(events);
  };

  return async (): Promise<TaskOutcome> => {
    if (!pause.isOver()) return 'idle';
    try {
      let events: readonly ReportedEvent[];
      do {
        events = await reports.oldest(EVENTS_MAX);
        if (events.length > 0) await send(events);
      } while (events.length === EVENTS_MAX && !stopping.aborted);
      pause.reset();
    } catch (err) {
      if (stopping.aborted || err instanceof KeyMissing) return;
      const askedS = err instanceof JobListingError ? (err.retryAfter ?? 0) : 0;
      const pauseMs = pause.extend(askedS * 1000);
      log.warn({ err, pauseMs }, 'could not report events; they wait');
    }
  };
}
