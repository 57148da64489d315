import { describe, expect, it } from '@jest/globals';
import { isRetryableStatus, isRetryableFailure, retryDelay } from './retry.ts';

const policy = { attempts: 4, firstDelayMs: 100, longestDelayMs: 300, longestRetryAfterMs: 60_000 };
const now = new Date('2025-11-21T12:00:00Z');

describe('retryDelay', () => {
  it.each<[attempt: number, retryAfter: string | undefined, random: number, ms: number | undefined]>([
    [1, undefined, 1, 100],
    [1, undefined, 0, 50],
    [2, undefined, 1, 200],
    [3, undefined, 1, 300],
    [4, undefined, 1, undefined],
    [1, '2', 0, 2000],
    [1, '2', 1, 2100],
    [1, '0', 1, 100],
    [1, 'Fri, 21 Nov 2025 12:00:05 GMT', 0, 5000],
    [1, 'Fri, 21 Nov 2025 11:00:00 GMT', 1, 100],
    [1, 'soon', 1, 100],
    [1, '61', 0, undefined],
  ])('attempt %d, Retry-After %j, random %d: %j ms', (attempt, retryAfter, random, ms) => {
    expect(retryDelay(attempt, retryAfter, policy, now, () => random)).toBe(ms);
  });
});

describe('retryable statuses and failures', () => {
  it.each([429, 503, 504])('status %d is retryable', (status) =>
    expect(isRetryableStatus(status)).toBe(true),
  );
  it.each([200, 400, 401, 409, 422, 500])('status %d is not retryable', (status) =>
    expect(isRetryableStatus(status)).toBe(false),
  );
  it.each([
    ['ECONNREFUSED', true],
    ['UND_ERR_SOCKET', true],
    ['ENOTFOUND', false],
    [undefined, false],
  ])('failure %j: %j', (code, expected) => {
    expect(isRetryableFailure(Object.assign(new Error('x'), { code }))).toBe(expected);
  });
});
