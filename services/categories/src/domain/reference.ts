import type { BodyOf, releaseCategories } from '@joblisting/contracts';
import { LAST_SYSTEM_ID } from './category.ts';

/** Version `version` of the job has the custom category, or is about to. */
export interface Reference {
  readonly jobId: number;
  readonly categoryId: number;
  readonly version: number;
  /** When it was last acquired, in epoch ms. */
  readonly acquiredAt: number;
}

export type Release = BodyOf<typeof releaseCategories>;

/** A job that exists, as `jobs` reports it. */
export interface JobWithCategories {
  readonly version: number;
  readonly categoryIds: readonly number[];
}

/**
 * Age at which a reference is committed or never will be. `jobs` commits nothing that it acquired more than 15 s ago; a
 * write that has reached MongoDB by then can take a few seconds more.
 */
export const DECIDED_AFTER_MS = 20_000;

/** Age at which the sweep first checks a reference. */
export const FIRST_CHECK_AFTER_MS = 60_000;

/** Time between checks of a reference: they find what a lost release left behind. */
export const NEXT_CHECK_AFTER_MS = 24 * 3600_000;

/** A job has a category once, so this identifies a reference. */
export const referenceKey = ({ jobId, categoryId }: Pick<Reference, 'jobId' | 'categoryId'>) =>
  `${jobId}:${categoryId}`;

/** `held`: the job has the category. `dead`: it never will. `open`: its write may be under way. */
type Verdict = 'held' | 'dead' | 'open';

/** Whether a reference still counts. Earlier versions of this service counted system categories too. */
export function judge(reference: Reference, job: JobWithCategories | undefined, now: number): Verdict {
  if (reference.categoryId <= LAST_SYSTEM_ID) return 'dead';
  if (job?.categoryIds.includes(reference.categoryId)) return 'held';
  // The job is at the reference's version, or past it: no write with this reference can follow.
  if (job && reference.version <= job.version) return 'dead';
  return now - reference.acquiredAt > DECIDED_AFTER_MS ? 'dead' : 'open';
}

/** The references by their verdicts. */
export function judgeAll(
  references: readonly Reference[],
  jobs: ReadonlyMap<number, JobWithCategories>,
  now: number,
): Readonly<Record<Verdict, readonly Reference[]>> {
  const verdicts = Map.groupBy(references, (reference) => judge(reference, jobs.get(reference.jobId), now));
  return { held: [], dead: [], open: [], ...Object.fromEntries(verdicts) };
}

/** The references of the job that a release drops: those outside `keep` that no later version has acquired. */
export const releasedBy = ({ version, keep }: Release, ofJob: readonly Reference[]): Reference[] =>
  ofJob.filter((reference) => reference.version <= version && !keep.includes(reference.categoryId));
