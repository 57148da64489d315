import { describe, expect, it } from '@jest/globals';
import { concurrencyLimiter } from './concurrency.ts';

type Limiter = ReturnType<typeof concurrencyLimiter>;
type Client = number | string;

/** Acquires at most `times` places. Returns how many it got, the refusal, and how to release them. */
function acquireMany(limiter: Limiter, owner: string | undefined, client: Client, times: number, weight = 1) {
  const releases: (() => void)[] = [];
  try {
    while (releases.length < times) releases.push(limiter.acquire({ owner, client, weight }));
  } catch (error) {
    const { code, reason, retryAfterSeconds } = error as Record<string, unknown>;
    return { releases, got: releases.length, refusal: [code, reason, retryAfterSeconds] };
  }
  return { releases, got: releases.length, refusal: undefined };
}
const OVERLOADED = ['overloaded', 'gateway_concurrency', 1];
const SHARE = ['consumer_concurrency', 'consumer_concurrency', 1];

describe('concurrencyLimiter', () => {
  it('leaves a quarter of its places to other services than the busiest', () => {
    const limiter = concurrencyLimiter(8);
    const ofJobs = Array.from({ length: 10 }, (_, client) => acquireMany(limiter, 'jobs', client, 1));
    expect(ofJobs.map(({ got }) => got)).toEqual([1, 1, 1, 1, 1, 1, 0, 0, 0, 0]);
    expect([ofJobs[6]?.refusal, limiter.isFull('jobs')]).toEqual([OVERLOADED, true]);
    expect(acquireMany(limiter, 'categories', 20, 10).got).toBe(2);
    expect([limiter.inFlight(), limiter.isFull('categories')]).toEqual([8, true]);
  });

  it('counts requests that wait for no service in total only', () => {
    const limiter = concurrencyLimiter(4);
    for (let client = 0; client < 4; client++) acquireMany(limiter, undefined, client, 1);
    expect(acquireMany(limiter, 'jobs', 1, 1).refusal).toEqual(OVERLOADED);
  });

  it('gives places back once, however often they are released', () => {
    const limiter = concurrencyLimiter(8);
    const { releases } = acquireMany(limiter, 'jobs', 1, 2, 2);
    expect(limiter.inFlight()).toBe(4);
    releases[0]?.();
    releases[0]?.();
    expect(limiter.inFlight()).toBe(2);
  });

  it('gives one client half of the places of a service; the next one the half of that, and none is starved', () => {
    // 100 places for one service.
    const limiter = concurrencyLimiter(133);
    const first = acquireMany(limiter, 'jobs', 1, 1000);
    expect([first.got, first.refusal]).toEqual([50, SHARE]);
    const second = acquireMany(limiter, 'jobs', 2, 1000);
    expect([second.got, second.refusal]).toEqual([25, SHARE]);
    expect(acquireMany(limiter, 'jobs', '192.0.2.1', 10).got).toBe(10);
    expect(limiter.isFull('jobs')).toBe(false);
    expect(acquireMany(limiter, 'categories', 3, 10).got).toBe(10);
    for (const release of first.releases) release();
    expect(acquireMany(limiter, 'jobs', 2, 1000).got).toBe(15);
    expect(acquireMany(limiter, 'jobs', 1, 1000)).toMatchObject({ got: 25, refusal: SHARE });
  });

  it('shares out what all services have together as well', () => {
    // 100 places, 75 for one service.
    const limiter = concurrencyLimiter(100);
    const owners = ['jobs', 'categories', 'metrics', 'shortlink'];
    expect(owners.map((owner) => acquireMany(limiter, owner, 1, 1000).got)).toEqual([38, 12, 0, 0]);
    expect(owners.map((owner) => acquireMany(limiter, owner, 2, 5).got)).toEqual([5, 5, 5, 5]);
    expect(acquireMany(limiter, undefined, 1, 1000)).toMatchObject({ got: 0, refusal: SHARE });
  });

  it('knows a consumer from an address that looks like its id', () => {
    const limiter = concurrencyLimiter(133);
    acquireMany(limiter, 'jobs', 7, 1000);
    expect(acquireMany(limiter, 'jobs', '7', 1000).got).toBe(25);
  });

  it('gives heavy requests places as long as there is one, and counts all that they take', () => {
    const limiter = concurrencyLimiter(133);
    expect(acquireMany(limiter, 'jobs', 1, 1000, 16).got).toBe(4);
    expect(limiter.inFlight()).toBe(64);
    expect(acquireMany(limiter, 'jobs', 2, 1000, 16).got).toBe(2);
    expect(acquireMany(limiter, 'jobs', 3, 1000, 16)).toMatchObject({ got: 1, refusal: OVERLOADED });
  });

  it('gives a lone request a place, however few there are', () => {
    expect(acquireMany(concurrencyLimiter(1), 'jobs', 1, 2, 16).got).toBe(1);
  });
});
