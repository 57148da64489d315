import { describe, expect, it } from '@jest/globals';
import { addCounts, countTests } from './test-counts.ts';

describe('countTests', () => {
  it.each([
    ['Tests:       15 passed, 15 total', { passed: 15, failed: 0, skipped: 0 }],
    [
      '@joblisting/jobs:test: Tests:       2 failed, 1 skipped, 13 passed, 16 total',
      { passed: 13, failed: 2, skipped: 1 },
    ],
    ['Tests:       0 total', { passed: 0, failed: 0, skipped: 0 }],
    ['Test Suites: 5 passed, 5 total', { passed: 0, failed: 0, skipped: 0 }],
    ['PASS src/clock.test.ts', { passed: 0, failed: 0, skipped: 0 }],
  ])('reads %j', (line, counts) => {
    expect(countTests(line)).toEqual(counts);
  });

  it('adds up', () => {
    const one = { passed: 1, failed: 2, skipped: 3 };
    expect(addCounts(one, one)).toEqual({ passed: 2, failed: 4, skipped: 6 });
  });
});
