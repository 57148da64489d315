import { isDeepStrictEqual } from 'node:util';
import { status, type StatusId } from '@joblisting/contracts';
import type { Job } from './job.ts';
import { toReply } from './reply.ts';
import type { Timeline, Transition } from './status.ts';

/** Who requested a change. Absent if the clock or a background task makes it. */
export interface Requester {
  readonly requestedBy?: { readonly consumerId: number; readonly userId: number | null };
  readonly requestId?: string;
}

export type ChangeKind = 'created' | 'updated' | 'published' | 'closed' | 'deleted';

/** What one write of a job does, as its event reports it. Each version of a job has one. */
export interface Change extends Requester {
  readonly kind: ChangeKind;
  readonly version: number;
  readonly companyId: number;
  readonly referenceId?: string;
  /** The status after the change. */
  readonly statusId: StatusId;
  /** When it takes effect, in epoch milliseconds. */
  readonly at: number;
  /** The properties that changed, by their names in a reply. */
  readonly fields?: string[];
}

const common = ({ company, referenceId, statusId, version }: Job) => ({
  version,
  companyId: company.id,
  ...(referenceId !== null && { referenceId }),
  statusId,
});

export const creationOf = (job: Job, now: number, requester: Requester): Change => ({
  kind: 'created',
  ...common(job),
  at: now,
  ...requester,
});

/** @param after the changed job, at its new version */
export const updateOf = (before: Job, after: Job, now: number, requester: Requester): Change => ({
  kind: after.statusId === before.statusId ? 'updated' : kindOf(after.statusId),
  ...common(after),
  at: now,
  fields: changedProperties(before, after),
  ...requester,
});

/** Leaves the job's referenceId out, so that jobs with the same timeline have the same change. */
export const transitionOf = (companyId: number, { statusId, version, at }: Transition): Change => ({
  kind: kindOf(statusId),
  version,
  companyId,
  statusId,
  at,
});

/** A deletion has the version after the last one. */
export const deletionOf = (job: Job, now: number, requester: Requester): Change => ({
  kind: 'deleted',
  ...common(job),
  version: job.version + 1,
  at: now,
  ...requester,
});

function kindOf(statusId: Timeline['statusId']): ChangeKind {
  if (statusId === status.published) return 'published';
  return statusId === status.closed ? 'closed' : 'updated';
}

function changedProperties(before: Job, after: Job): string[] {
  const shownBefore: Readonly<Record<string, unknown>> = { ...toReply(before) };
  return Object.entries(toReply(after))
    .filter(([name, value]) => !isDeepStrictEqual(value, shownBefore[name]))
    .map(([name]) => name);
}
