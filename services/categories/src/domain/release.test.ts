import { describe, expect, it } from '@jest/globals';
import { releasedBy } from './release.ts';

const reference = (jobId: number, categoryId: number, version: number) => ({
  jobId,
  categoryId,
  version,
  acquiredAt: 0,
});
const held = [reference(1, 10, 1), reference(1, 11, 2), reference(1, 12, 3), reference(2, 10, 1)];
const keys = (dropped: ReturnType<typeof releasedBy>) =>
  dropped.map((references) => references.map(({ jobId, categoryId }) => `${jobId}:${categoryId}`));

describe('releasedBy', () => {
  it.each([
    ['all up to its version', { jobId: 1, version: 2, keep: [] }, ['1:10', '1:11']],
    ['all but what is kept', { jobId: 1, version: 3, keep: [11] }, ['1:10', '1:12']],
    ['nothing of a later version', { jobId: 1, version: 0, keep: [] }, []],
    ['nothing of another job', { jobId: 3, version: 9, keep: [] }, []],
  ])('drops %s', (_what, release, dropped) => {
    expect(keys(releasedBy([release], held))).toEqual([dropped]);
  });

  it('drops nothing twice', () => {
    const releases = [
      { jobId: 1, version: 2, keep: [10] },
      { jobId: 1, version: 3, keep: [] },
      { jobId: 1, version: 3, keep: [] },
    ];
    expect(keys(releasedBy(releases, held))).toEqual([['1:11'], ['1:10', '1:12'], []]);
  });
});
