import { sum } from '@joblisting/testing';
import { describe, expect, it } from '@jest/globals';
import { full, quick } from '../sizes.ts';
import { shares } from './world.ts';

describe('shares', () => {
  it.each([
    ['full', full],
    ['quick', quick],
  ])('add up to all jobs of the %s size', (_name, sizes) => {
    const jobs = shares(sizes);
    expect(jobs).toHaveLength(sizes.companies);
    expect(jobs.slice(0, 2)).toEqual([sizes.largeCompany, sizes.smallCompany]);
    expect(sum(jobs)).toBe(sizes.jobs);
    expect(Math.min(...jobs)).toBeGreaterThan(0);
  });
});
