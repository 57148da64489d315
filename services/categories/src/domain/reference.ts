/** A line of the ledger: version `version` of the job has, or is about to have, the category. */
export interface Reference {
  readonly jobId: number;
  readonly categoryId: number;
  readonly version: number;
  /** When it was last acquired, in epoch milliseconds. */
  readonly acquiredAt: number;
}

/** A job has a category once: what a reference is known by. */
export const referenceKey = ({ jobId, categoryId }: Pick<Reference, 'jobId' | 'categoryId'>) =>
  `${jobId}:${categoryId}`;

/** What `jobs` says of a job that exists. */
export interface HeldByJob {
  readonly version: number;
  readonly categoryIds: readonly number[];
}

/**
 * Age at which a reference is committed or never will be. `jobs` commits nothing that was acquired more than 15 s
 * ago; a write that it has handed to MongoDB by then can take a few seconds more to land.
 */
export const DECIDED_AFTER_MS = 20_000;

/** Age at which the sweep first looks at a reference. */
export const FIRST_CHECK_AFTER_MS = 60_000;

/** How long after one look the next one comes: it finds what a lost release left behind. */
export const NEXT_CHECK_AFTER_MS = 24 * 3600_000;

export type Verdict = 'held' | 'dead' | 'open';

/**
 * Whether a reference counts still. Dead ones can be dropped: the job is at the reference's version, or past it,
 * without the category, so no commit can follow; or the reference is too old to be committed.
 */
export function judge(reference: Reference, job: HeldByJob | undefined, now: number): Verdict {
  if (job?.categoryIds.includes(reference.categoryId)) return 'held';
  if (job && reference.version <= job.version) return 'dead';
  return now - reference.acquiredAt > DECIDED_AFTER_MS ? 'dead' : 'open';
}
