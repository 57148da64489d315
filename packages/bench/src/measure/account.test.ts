import { describe, expect, it } from '@jest/globals';
import { used } from './account.ts';

describe('used', () => {
  it('is what came since, for each unit', () => {
    expect(used({ a: 100, b: 5 }, { a: 300, b: 5 }, 10)).toEqual({ a: 20, b: 0 });
  });

  it('counts a group that was not there before from nothing', () => {
    expect(used({}, { a: 7 })).toEqual({ a: 7 });
  });
});
