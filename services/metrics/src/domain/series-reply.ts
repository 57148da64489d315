import type { JobMetrics, MetricsCounts } from '@joblisting/contracts';
import type { DayCounts } from './day-counts.ts';
import type { Period } from './period.ts';
import type { Counts } from './tally.ts';

/** A job's totals, and what it has on the days of a period, in order of day and source. */
export interface Series {
  readonly totals: Counts;
  readonly days: readonly Omit<DayCounts, 'jobId'>[];
}

/** The series in the words of the API. What the days do not hold is `outside`. */
export function seriesReply({ totals, days }: Series, { from, to }: Period): JobMetrics {
  const inside = { view: 0, application: 0, clickThrough: 0 };
  for (const { view, application, clickThrough } of days) {
    inside.view += view;
    inside.application += application;
    inside.clickThrough += clickThrough;
  }
  const outside = {
    view: totals.view - inside.view,
    application: totals.application - inside.application,
    clickThrough: totals.clickThrough - inside.clickThrough,
  };
  return {
    from,
    to,
    interval: 'day',
    counts: countsOf(totals),
    outside: countsOf(outside),
    series: days.map(({ day, source, ...counts }) => ({ date: day, source, ...countsOf(counts) })),
  };
}

const countsOf = ({ view, application, clickThrough }: Counts): MetricsCounts => ({
  views: view,
  applications: application,
  clickThroughs: clickThrough,
});
