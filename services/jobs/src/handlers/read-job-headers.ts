import type { ChangedJob, readJobHeaders } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import type { ListedJob } from '../domain/job.ts';
import { toHeader } from '../domain/reply.ts';
import { applyDueTransitions, displayDate, type Timeline } from '../domain/status.ts';
import type { HeaderStore } from '../store/header-store.ts';

const DEFAULT_LIMIT = 1000;

/** Reads job headers as they are now, with their versions. */
export const readJobHeadersHandler =
  (headers: HeaderStore, clock: Clock): Handler<typeof readJobHeaders> =>
  async ({ body: { limit = DEFAULT_LIMIT, ...request } }) => {
    const now = clock.now();
    const found = await headers.read({ ...request, limit });
    return { data: { jobs: found.map((stored) => toChangedJob(applyDueTransitions(stored, now))) } };
  };

const toChangedJob = (job: ListedJob & Timeline): ChangedJob => ({
  ...toHeader({ ...job, displayDate: displayDate(job) }),
  publishDate: job.publishDate,
  closeDate: job.closeDate,
  version: job.version,
});
