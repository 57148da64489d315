import type { getJobMetrics } from '@joblisting/contracts';
import { type Clock, type Handler, requireScope } from '@joblisting/service-kit';
import type { JobsClient } from '../clients/jobs.ts';
import { periodOf } from '../domain/period.ts';
import { seriesReply } from '../domain/series-reply.ts';
import type { SeriesStore } from '../store/series-store.ts';

/**
 * Reads a job's counts by day and source. Throws `scope_missing`, `invalid_parameter`, and `job_not_found` for a job
 * that the caller's keys do not grant.
 */
export const getJobMetricsHandler =
  (jobs: JobsClient, series: SeriesStore, clock: Clock): Handler<typeof getJobMetrics> =>
  async ({ params, context }) => {
    requireScope(context, 'jobs:read');
    const period = periodOf(params, clock.now());
    await jobs.requireAccess(params.jobId, context);
    return { data: seriesReply(await series.read(params.jobId, period), period) };
  };
