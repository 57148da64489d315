import type { Bus } from '@joblisting/bus';
import {
  applyCounts,
  checkJobAccess,
  findExistingJobs,
  getJobMetrics,
  type JobMetrics,
  type MetricsEvent,
  type ParamsOf,
  recordEvents,
  type Scope,
  ServiceError,
} from '@joblisting/contracts';
import { type Log, type Mongo, ownCall } from '@joblisting/service-kit';
import { sum, testClock } from '@joblisting/testing';
import { runService, standIn } from '@joblisting/testing/system';
import { metricsService } from '../src/index.ts';
import type { Counts } from '../src/domain/tally.ts';
import { counterModel } from '../src/models/counter.ts';

const principal = { consumerId: 1, scopes: ['metrics:write' as const], userId: null, companyIds: [] };

/** The company of all jobs. */
const COMPANY_ID = 1;

/** A stand-in of the jobs service: the jobs that exist, and the counts that they show. */
function standInJobs() {
  const existing = new Set<number>();
  const counts = new Map<number, Counts>();
  /** What a look-up of existing jobs fails with, if anything. */
  const faults: { lookUp: Error | undefined } = { lookUp: undefined };
  const standIns = [
    standIn(findExistingJobs, async ({ body }) => {
      if (faults.lookUp) throw faults.lookUp;
      return { data: { ids: body.ids.filter((id) => existing.has(id)) } };
    }),
    standIn(checkJobAccess, async ({ params, context }) => {
      const isGranted = context.principal?.companyIds.includes(COMPANY_ID);
      if (!existing.has(params.id) || !isGranted) throw new ServiceError('job_not_found');
      return {};
    }),
    standIn(applyCounts, async ({ body }) => {
      const { known = [], unknown = [] } = Object.groupBy(body.counts, ({ jobId }) =>
        existing.has(jobId) ? 'known' : 'unknown',
      );
      for (const { jobId, view, application, clickThrough } of known) {
        const before = counts.get(jobId) ?? { view: 0, application: 0, clickThrough: 0 };
        counts.set(jobId, {
          view: Math.max(before.view, view),
          application: Math.max(before.application, application),
          clickThrough: Math.max(before.clickThrough, clickThrough),
        });
      }
      return { data: { unknown: unknown.map(({ jobId }) => jobId) } };
    }),
  ];
  return { existing, counts, faults, standIns };
}

export type RunningMetrics = Awaited<ReturnType<typeof runMetrics>>;

/** A database and a stand-in of the jobs service, without a replica yet. */
export async function runMetrics(log?: Log) {
  const jobs = standInJobs();
  const running = await runService(metricsService, {
    standIns: jobs.standIns,
    replicas: 0,
    // The present: MongoDB removes documents that expired before it.
    clock: testClock(new Date().toISOString()),
    ...(log && { log }),
  });
  return { ...running, jobs: { ...jobs, ...running.standInsOf('jobs') } };
}

/** The stored counts by job. */
export async function countedOf(mongo: Mongo): Promise<Map<number, Counts>> {
  const totals = await counterModel(mongo).find().lean();
  return new Map(
    totals.map(({ _id, view, application, clickThrough }) => [_id, { view, application, clickThrough }]),
  );
}

/** The context of a caller with the scope `metrics:write`. */
export const allowed = (limitMs = 10_000) => ({ ...ownCall(limitMs), principal });

/** Sends a batch and resolves to its receipt. */
export const send = async (bus: Bus, events: readonly unknown[]) =>
  (await bus.request(recordEvents, { body: { events }, context: allowed() })).data;

export const view = (id: string, jobId = 1): MetricsEvent => ({ id, jobId, type: 'view' });

/** The context of a caller with the keys of these companies. */
export const reader = (companyIds = [COMPANY_ID], scopes: Scope[] = ['jobs:read']) => ({
  ...ownCall(10_000),
  principal: { consumerId: 1, scopes, userId: 1, companyIds },
});

/** Reads the series of a job. */
export const readSeries = async (
  bus: Bus,
  jobId: number,
  period: Partial<ParamsOf<typeof getJobMetrics>> = {},
): Promise<JobMetrics> =>
  (await bus.request(getJobMetrics, { params: { jobId, ...period }, context: reader() })).data;

/** What the rows of a series add up to. */
export const sumOf = ({ series }: JobMetrics) => ({
  view: sum(series.map(({ views }) => views)),
  application: sum(series.map(({ applications }) => applications)),
  clickThrough: sum(series.map(({ clickThroughs }) => clickThroughs)),
});
