import type { BodyOf, releaseCategories } from '@joblisting/contracts';
import type { Reference } from './reference.ts';

export type Release = BodyOf<typeof releaseCategories>;

/**
 * What each release drops: the job's references outside `keep` that no later version has acquired again. A
 * reference that two of them would drop counts for the first.
 */
export function releasedBy(releases: readonly Release[], references: readonly Reference[]): Reference[][] {
  const left = new Set(references);
  return releases.map(({ jobId, version, keep }) => {
    const dropped = references.filter(
      (reference) =>
        left.has(reference) &&
        reference.jobId === jobId &&
        reference.version <= version &&
        !keep.includes(reference.categoryId),
    );
    for (const reference of dropped) left.delete(reference);
    return dropped;
  });
}
