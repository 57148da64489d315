import { describe, expect, it } from '@jest/globals';
import { jobTypes } from './employment-types.ts';

describe('jobTypes', () => {
  it.each<[employmentType: unknown, ids: number[], unmatched: string[]]>([
    ['FULL_TIME', [1], []],
    ['PART_TIME', [2], []],
    ['CONTRACTOR', [3], []],
    ['TEMPORARY', [4], []],
    ['INTERN', [5], []],
    ['VOLUNTEER', [6], []],
    ['PER_DIEM', [7], []],
    ['OTHER', [8], []],
    ['full-time', [1], []],
    ['Full time, part time', [1, 2], []],
    [['FULL_TIME', 'CONTRACTOR', 'CONTRACT'], [1, 3], []],
    ['APPRENTICESHIP', [], ['APPRENTICESHIP']],
    ['constructor', [], ['constructor']],
    [['TEMPORARY', 7], [4], ['7']],
    [undefined, [], []],
    [null, [], []],
    ['', [], []],
  ])('%j', (employmentType, ids, unmatched) => {
    expect(jobTypes(employmentType)).toEqual({ types: ids.map((id) => ({ id })), unmatched });
  });
});
