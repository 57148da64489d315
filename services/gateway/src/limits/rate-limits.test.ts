import { describe, expect, it } from '@jest/globals';
import { limitField, policyField } from './rate-limits.ts';

describe('the header fields', () => {
  it.each([
    ['reads', 60_000, 59_999, 42, '"reads";q=60000;w=60', '"reads";r=59999;t=42'],
    ['writes', 5, 0, 1, '"writes";q=5;w=60', '"writes";r=0;t=1'],
  ] as const)('are lists of one item with parameters: %s', (kind, quota, left, seconds, policy, limit) => {
    expect([policyField(kind, quota), limitField(kind, left, seconds)]).toEqual([policy, limit]);
  });
});
