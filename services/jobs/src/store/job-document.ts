import { isDeepStrictEqual } from 'node:util';
import { closeDateAt, closeInstant, publishDateAt, publishInstant } from '../domain/dates.ts';
import { transitionOf } from '../domain/change.ts';
import type { Job, ListedJob } from '../domain/job.ts';
import {
  applyTransition,
  displayDate,
  nextTransitionAt,
  type Timeline,
  type Transition,
} from '../domain/status.ts';
import { toChangeDocument } from '../models/change.ts';
import type { JobDocument } from '../models/job.ts';

/** What a list reads of a job. */
export const listedFields = {
  companyId: 1,
  companyName: 1,
  referenceId: 1,
  employer: 1,
  title: 1,
  displayDate: 1,
  city: 1,
  province: 1,
  statusId: 1,
  counts: 1,
} as const;
export type ListedDocument = Pick<JobDocument, '_id' | keyof typeof listedFields>;

/** What deciding about transitions reads of a job. */
export const timelineFields = { publishAt: 1, closeAt: 1, statusId: 1, version: 1 } as const;
export type StoredTimeline = Pick<JobDocument, keyof typeof timelineFields>;
export type TimelineDocument = StoredTimeline & Pick<JobDocument, '_id'>;

export const toTimeline = (stored: StoredTimeline): Timeline => ({
  statusId: stored.statusId,
  version: stored.version,
  ...toDates(stored),
});

export function toJob(stored: JobDocument): Job {
  return {
    categories: stored.categories,
    typeIds: stored.typeIds,
    description: stored.description ?? stored.largeDescription ?? '',
    descriptionFormat: stored.descriptionFormat,
    routingId: stored.routingId,
    applicationEmails: stored.applicationEmails,
    applicationUrl: stored.applicationUrl,
    url: stored.url,
    linkPending: stored.linkPending ?? false,
    version: stored.version,
    ...toCommon(stored),
    ...toDates(stored),
  };
}

export const toListedJob = (stored: ListedDocument): ListedJob => ({
  displayDate: stored.displayDate,
  ...toCommon(stored),
});

const toCommon = (stored: Omit<ListedDocument, 'displayDate'>): Omit<ListedJob, 'displayDate'> => ({
  id: stored._id,
  referenceId: stored.referenceId ?? null,
  company: { id: stored.companyId, name: stored.companyName },
  employer: stored.employer,
  title: stored.title,
  city: stored.city,
  province: stored.province,
  statusId: stored.statusId,
  viewCount: stored.counts.view,
  applicationCount: stored.counts.application,
  clickThroughCount: stored.counts.clickThrough,
});

const toDates = ({ publishAt, closeAt }: Pick<JobDocument, 'publishAt' | 'closeAt'>) => ({
  publishDate: publishDateAt(publishAt.getTime()),
  closeDate: closeAt && closeDateAt(closeAt.getTime()),
});

/** Longer descriptions are stored in a field of their own: reads and inserts of other jobs need not wait for them. */
const LARGE = 40_000;

export const isLarge = ({ description }: Pick<Job, 'description'>): boolean => description.length > LARGE;

/** The fields that a write of the job sets and unsets, except its id, company, counts, change and kept answer. */
export function toFields(job: Job) {
  const next = nextTransitionAt(job);
  const set = {
    employer: job.employer,
    title: job.title,
    publishAt: new Date(publishInstant(job.publishDate)),
    closeAt: job.closeDate === null ? null : new Date(closeInstant(job.closeDate)),
    displayDate: displayDate(job),
    city: job.city,
    province: job.province,
    categories: [...job.categories],
    typeIds: [...job.typeIds],
    ...(isLarge(job) ? { largeDescription: job.description } : { description: job.description }),
    descriptionFormat: job.descriptionFormat,
    routingId: job.routingId,
    applicationEmails: [...job.applicationEmails],
    applicationUrl: job.applicationUrl,
    url: job.url,
    statusId: job.statusId,
    version: job.version,
    ...(job.referenceId !== null && { referenceId: job.referenceId }),
    ...(next !== null && { nextTransitionAt: new Date(next) }),
    ...(job.linkPending && { linkPending: true as const }),
  };
  const optional = ['referenceId', 'nextTransitionAt', 'linkPending'] as const;
  const unset = Object.fromEntries(
    optional.filter((name) => !(name in set)).map((name) => [name, '' as const]),
  );
  return { set, unset };
}

/** Always written, so that a release that derives them differently corrects them. */
const derived: ReadonlySet<string> = new Set(['publishAt', 'closeAt', 'displayDate', 'nextTransitionAt']);

/** Only the fields that differ, because most writes change little and a description is longer than all the rest. */
export function changedFields(stored: Job, job: Job) {
  const before: Readonly<Record<string, unknown>> = toFields(stored).set;
  const { set, unset } = toFields(job);
  const otherPlace = isLarge(job) ? 'description' : 'largeDescription';
  return {
    set: Object.fromEntries(
      Object.entries(set).filter(
        ([name, value]) => derived.has(name) || !isDeepStrictEqual(value, before[name]),
      ),
    ),
    unset: { ...unset, ...(job.description !== stored.description && { [otherPlace]: '' as const }) },
  };
}

/** What storing one transition writes. It is the same for all jobs of a company with this timeline. */
export function transitionUpdate(job: Timeline & { readonly companyId: number }, transition: Transition) {
  const after = applyTransition(job, transition);
  const next = nextTransitionAt(after);
  return {
    $set: {
      statusId: after.statusId,
      version: after.version,
      displayDate: displayDate(after),
      change: toChangeDocument(transitionOf(job.companyId, transition)),
      uncounted: true as const,
      ...(next !== null && { nextTransitionAt: new Date(next) }),
    },
    ...(next === null && { $unset: { nextTransitionAt: '' as const } }),
  };
}
