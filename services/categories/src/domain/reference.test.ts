import { describe, expect, it } from '@jest/globals';
import { judge, releasedBy } from './reference.ts';

const reference = { jobId: 1, categoryId: 1000, version: 5, acquiredAt: 0 };
const holding = { version: 4, categoryIds: [7, 1000] };
const without = (version: number) => ({ version, categoryIds: [7] });

describe('judge', () => {
  it.each([
    ['the job has the category', holding, 0, 'held'],
    ['the job has it, and the reference is old', holding, 1e9, 'held'],
    ['the job is at the version without it', without(5), 0, 'dead'],
    ['the job is past the version without it', without(6), 0, 'dead'],
    ['the job is before the version', without(4), 0, 'open'],
    ['the job is before the version, for as long as a commit can take', without(4), 20_000, 'open'],
    ['the job is before the version for longer', without(4), 20_001, 'dead'],
    ['there is no job yet', undefined, 20_000, 'open'],
    ['there is still no job', undefined, 20_001, 'dead'],
  ] as const)('when %s', (_what, job, now, verdict) => {
    expect(judge(reference, job, now)).toBe(verdict);
  });

  it.each([999, 1])('a reference to the system category %d is dead, whatever the job has', (categoryId) => {
    const job = { version: 5, categoryIds: [categoryId] };
    expect(judge({ ...reference, categoryId }, job, 0)).toBe('dead');
  });
});

describe('releasedBy', () => {
  const at = (categoryId: number, version: number) => ({ jobId: 1, categoryId, version, acquiredAt: 0 });
  const ofJob = [at(1010, 1), at(1011, 2), at(1012, 3)];
  it.each([
    ['all up to its version', 2, [], [1010, 1011]],
    ['all but what the job keeps', 3, [1011], [1010, 1012]],
    ['nothing of a later version', 0, [], []],
  ])('drops %s', (_what, version, keep, dropped) => {
    const released = releasedBy({ jobId: 1, version, keep }, ofJob);
    expect(released.map(({ categoryId }) => categoryId)).toEqual(dropped);
  });
});
