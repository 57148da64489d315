import { describe, expect, it } from '@jest/globals';
import { describeOutages, outageBetween, type Sample } from './outage.ts';

const ok = (sentAt: number, endedAt: number): Sample => ({ sentAt, endedAt });
const failed = (sentAt: number, endedAt: number): Sample => ({ sentAt, endedAt, failure: '503' });

describe('outageBetween', () => {
  it.each<[string, Sample[], number, number]>([
    ['nothing failed', [ok(0, 5), ok(12, 15)], 0, 0],
    ['a request that was running at the fault failed', [failed(9, 20), ok(12, 15)], 5, 1],
    [
      'some failed and one between them succeeded',
      [failed(11, 12), ok(13, 14), failed(15, 16), ok(17, 30)],
      20,
      2,
    ],
    ['the failed one was sent before a successful one', [failed(11, 90), ok(12, 13)], 3, 1],
    ['a request failed before the fault', [failed(1, 2), ok(12, 13)], 0, 0],
    ['a request after the next fault failed', [failed(101, 102), ok(103, 104)], 0, 0],
    ['the recovery came after the next fault', [failed(99, 100), ok(110, 120)], 110, 1],
    ['there was no recovery', [failed(99, 100)], Infinity, 1],
  ])('when %s', (_when, samples, windowMs, failures) => {
    const outage = outageBetween(samples, 10, 100);
    expect({ ...outage, failures: outage.failures.length }).toEqual({ windowMs, failures });
  });
});

describe('describeOutages', () => {
  it('has the median, the worst and the failures', () => {
    const outages = [
      { windowMs: 0, failures: [] },
      { windowMs: 1500, failures: ['503', '504'] },
      { windowMs: 2500, failures: ['503'] },
    ];
    expect(describeOutages(outages)).toBe('median 1.5 s, worst 2.5 s, 3 failed (503: 2, 504: 1)');
    expect(describeOutages([{ windowMs: 0, failures: [] }])).toBe('median 0.0 s, worst 0.0 s, 0 failed');
  });
});
