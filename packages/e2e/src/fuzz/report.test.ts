import { describe, expect, it } from '@jest/globals';
import { countOperations, type FuzzReport } from './report.ts';

const clean: FuzzReport = {
  complete: true,
  operations: { selected: 3, tested: 3 },
  test_cases: { generated: 100, with_failures: 0 },
  failures: [],
  errors: [],
  warnings: { missing_auth: [] },
};
const failure = (...operations: string[]) => ({ title: 'Server error', count: 2, operations });

describe('countOperations', () => {
  it.each<[string, Partial<FuzzReport>, number, number]>([
    ['a clean run', {}, 3, 0],
    ['an operation with two failures', { failures: [failure('GET /a'), failure('GET /a')] }, 2, 1],
    ['two operations with one', { failures: [failure('GET /a', 'GET /b')] }, 1, 2],
    ['an error', { errors: [{ title: 'Hook Error', count: 1 }] }, 3, 1],
    ['a warning', { warnings: { missing_test_data: ['GET /a', 'GET /b'] } }, 3, 1],
    ['an operation that was left out', { operations: { selected: 3, tested: 2 } }, 2, 1],
    ['a run that did not end', { complete: false }, 3, 1],
    ['no operations', { operations: null }, 0, 1],
    ['none selected', { operations: { selected: 0, tested: 0 } }, 0, 1],
  ])('%s', (_what, change, passed, failed) => {
    expect(countOperations({ ...clean, ...change })).toEqual({ passed, failed });
  });
});
