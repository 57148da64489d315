import { describe, expect, it } from '@jest/globals';
import { JobListingError } from './error.ts';
import { realTiming, withRetries } from './retry.ts';

const failure = (status: number, retryAfter?: number, code = 'unavailable') =>
  new JobListingError({ detail: 'Later.', status, code, retryAfter, attempts: 1 });

/** Runs attempts that fail with these errors, then succeed, on a clock that only sleeping moves. */
async function run(
  failures: readonly Error[],
  { random = 1, maxRetries = 3 }: { random?: number; maxRetries?: number } = {},
) {
  const waits: number[] = [];
  const limits: number[] = [];
  let now = 0;
  let attempts = 0;
  const timing = {
    now: () => now,
    random: () => random,
    sleep: async (ms: number) => {
      waits.push(ms);
      now += ms;
    },
  };
  const attempt = async (_: number, remainingMs: number) => {
    attempts += 1;
    limits.push(remainingMs);
    const error = failures[attempts - 1];
    if (error !== undefined) throw error;
    return 'done';
  };
  const policy = { maxRetries, maxTotalMs: 60_000 };
  const outcome = await withRetries(attempt, policy, timing).catch((error: unknown) => error);
  return { outcome, attempts, waits, limits };
}

describe('what is retried', () => {
  it.each([
    ['429', failure(429)],
    ['503', failure(503)],
    ['504', failure(504)],
    ['409 with Retry-After', failure(409, 1)],
    ['a lost connection', failure(0, undefined, 'connection_lost')],
    ['a time-out', failure(0, undefined, 'timeout')],
  ])('%s', async (_, error) => {
    expect(await run([error])).toMatchObject({ outcome: 'done', attempts: 2 });
  });

  it.each([
    ...[400, 401, 403, 404, 409, 412, 422, 500].map((status) => [String(status), failure(status)] as const),
    ['an unknown host', failure(0, undefined, 'connection_failed')],
    ['a bug', new TypeError('x is undefined')],
  ])('not %s', async (_, error) => {
    expect(await run([error])).toMatchObject({ outcome: error, attempts: 1, waits: [] });
  });
});

describe('how long it waits', () => {
  it('doubles the delay', async () => {
    const failures = Array.from({ length: 7 }, () => failure(503));
    const { waits } = await run(failures, { maxRetries: 7 });
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000]);
  });

  it('takes off up to half of it by chance', async () => {
    expect((await run([failure(503), failure(503)], { random: 0 })).waits).toEqual([125, 250]);
  });

  it('waits as long as Retry-After says, or a little longer', async () => {
    expect((await run([failure(429, 7), failure(503, 2)], { random: 0 })).waits).toEqual([7000, 2000]);
    expect((await run([failure(429, 7)])).waits).toEqual([7250]);
  });

  it('waits the usual time after Retry-After: 0', async () => {
    expect((await run([failure(429, 0)])).waits).toEqual([250]);
  });
});

describe('when it gives up', () => {
  it('after maxRetries, with the last error', async () => {
    const last = failure(503);
    const failures = [failure(503), failure(503), failure(503), last];
    const { outcome, attempts } = await run(failures);
    expect([outcome, attempts]).toEqual([last, 4]);
  });

  it('at once with maxRetries 0', async () => {
    expect(await run([failure(503)], { maxRetries: 0 })).toMatchObject({ attempts: 1, waits: [] });
  });

  it('lets each attempt take what is left of maxTotalMs', async () => {
    expect((await run([failure(429, 7), failure(429, 2)], { random: 0 })).limits).toEqual([
      60_000, 53_000, 51_000,
    ]);
  });

  it('before a wait that would pass maxTotalMs', async () => {
    expect(await run([failure(429, 60)], { random: 0 })).toMatchObject({ attempts: 1, waits: [] });
    const waits = [30_000];
    expect(await run([failure(429, 30), failure(429, 31)], { random: 0 })).toMatchObject({
      attempts: 2,
      waits,
    });
  });
});

describe('realTiming.sleep', () => {
  it('sleeps', async () => {
    const since = performance.now();
    await realTiming.sleep(30, new AbortController().signal);
    expect(performance.now() - since).toBeGreaterThan(25);
  });

  it.each(['before', 'during'])('rejects with the reason of a signal that is aborted %s it', async (when) => {
    const stop = new AbortController();
    if (when === 'before') stop.abort('stopped');
    const sleeping = realTiming.sleep(60_000, stop.signal);
    stop.abort('stopped');
    await expect(sleeping).rejects.toBe('stopped');
  });
});
