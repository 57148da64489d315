import { describe, expect, it } from '@jest/globals';
import { concurrencyLimiter } from './concurrency.ts';

const acquireMany = (limiter: ReturnType<typeof concurrencyLimiter>, owner: string, times: number) =>
  Array.from({ length: times }, () => limiter.tryAcquire(owner)).filter((release) => release !== undefined);

describe('concurrencyLimiter', () => {
  it('leaves a quarter of its places to other services than the busiest', () => {
    const limiter = concurrencyLimiter(8);
    expect(acquireMany(limiter, 'jobs', 10)).toHaveLength(6);
    expect(acquireMany(limiter, 'categories', 10)).toHaveLength(2);
    expect(limiter.inFlight()).toBe(8);
  });

  it('counts requests that wait for no service in total only', () => {
    const limiter = concurrencyLimiter(4);
    for (let each = 0; each < 4; each++) expect(limiter.tryAcquire(undefined)).toBeDefined();
    expect(limiter.tryAcquire('jobs')).toBeUndefined();
  });

  it('gives a place back once, however often it is released', () => {
    const limiter = concurrencyLimiter(2);
    const [first] = acquireMany(limiter, 'jobs', 2);
    first?.();
    first?.();
    expect(limiter.inFlight()).toBe(1);
    expect(acquireMany(limiter, 'jobs', 5)).toHaveLength(1);
  });
});
