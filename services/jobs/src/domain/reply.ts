import {
  type Job as JobReply,
  type JobHeader,
  type Paging,
  routingNames,
  statusNames,
} from '@joblisting/contracts';
import type { Job, ListedJob } from './job.ts';
import { jobTypeName } from './job-types.ts';
import { displayDate } from './status.ts';

/** A job in full, its properties in the spec's order. */
export const toReply = (job: Job): JobReply => ({
  id: job.id,
  referenceId: job.referenceId,
  company: job.company,
  employer: job.employer,
  title: job.title,
  publishDate: job.publishDate,
  closeDate: job.closeDate,
  displayDate: displayDate(job),
  city: job.city,
  province: job.province,
  categories: job.categories.map(({ id, name }) => ({ id, name })),
  types: job.typeIds.map((id) => ({ id, name: jobTypeName(id) })),
  description: job.description,
  descriptionFormat: job.descriptionFormat,
  applicantRoutingType: { id: job.routingId, name: routingNames[job.routingId] },
  applicationEmails: [...job.applicationEmails],
  applicationUrl: job.applicationUrl,
  url: job.url,
  status: { id: job.statusId, name: statusNames[job.statusId] },
  viewCount: job.viewCount,
  applicationCount: job.applicationCount,
  clickThroughCount: job.clickThroughCount,
});

/** What the list shows of a job (spec, "Job header"). */
export const toHeader = (job: ListedJob): JobHeader => ({
  id: job.id,
  referenceId: job.referenceId,
  company: job.company,
  employer: job.employer,
  title: job.title,
  displayDate: job.displayDate,
  city: job.city,
  province: job.province,
  status: { id: job.statusId, name: statusNames[job.statusId] },
  viewCount: job.viewCount,
  applicationCount: job.applicationCount,
  clickThroughCount: job.clickThroughCount,
});

/** The position of a page in its list. An empty list has no pages (API decisions, "Paging"). */
export const toPaging = (total: number, pageSize: number, page: number): Paging => ({
  total,
  pageSize,
  page,
  pages: Math.ceil(total / pageSize),
});
