import { type PublicJob, type readPublicJobs, status } from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import { closeInstant } from '../domain/dates.ts';
import type { Job } from '../domain/job.ts';
import { toReply } from '../domain/reply.ts';
import { applyDueTransitions } from '../domain/status.ts';
import type { PublicStore } from '../store/public-store.ts';

/** Reads jobs that are Published now. */
export const readPublicJobsHandler =
  (jobs: PublicStore, clock: Clock): Handler<typeof readPublicJobs> =>
  async ({ body }) => {
    const now = clock.now();
    const { jobs: found, next } = await jobs.read(body, now);
    const current = found.map((job) => applyDueTransitions(job, now));
    const published = current.filter(({ statusId }) => statusId === status.published);
    return { data: { jobs: published.map(toPublic), next } };
  };

function toPublic(job: Job): PublicJob {
  const reply = toReply(job);
  return {
    id: reply.id,
    referenceId: reply.referenceId,
    company: reply.company,
    employer: reply.employer,
    title: reply.title,
    displayDate: reply.displayDate,
    closeDate: reply.closeDate,
    city: reply.city,
    province: reply.province,
    categories: reply.categories,
    types: reply.types,
    description: reply.description,
    descriptionFormat: reply.descriptionFormat,
    applicantRoutingType: reply.applicantRoutingType,
    applicationUrl: reply.applicationUrl,
    url: reply.url,
    version: job.version,
    closesAt: job.closeDate === null ? null : new Date(closeInstant(job.closeDate)).toISOString(),
  };
}
