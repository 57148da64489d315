import { describe, expect, it } from '@jest/globals';
import { testClock } from '@joblisting/testing';
import { countWriteVolume } from './write-volume.ts';

const start = (limit: number, consumers?: number) => {
  const clock = testClock('2026-11-20T23:59:18.500Z');
  const volume = countWriteVolume(clock, limit, consumers);
  const adds = (consumerId: number, bytes: number): boolean => {
    try {
      volume.add(consumerId, bytes);
      return true;
    } catch {
      return false;
    }
  };
  return { clock, volume, adds };
};

describe('write volume', () => {
  it('takes bodies up to the limit, and counts none that it refuses', () => {
    const { adds } = start(100);
    expect([60, 41, 40, 1, 0].map((bytes) => adds(1, bytes))).toEqual([true, false, true, false, true]);
    expect(adds(2, 100)).toBe(true);
  });

  it('counts nothing that is only announced', () => {
    const { volume, adds } = start(100);
    for (let each = 0; each < 10; each++) volume.requireRoom(1, 100);
    expect(adds(1, 100)).toBe(true);
  });

  it('is refused until the day ends (UTC)', () => {
    const { clock, volume, adds } = start(100);
    adds(1, 100);
    expect(() => volume.requireRoom(1, 1)).toThrow(
      expect.objectContaining({ code: 'rate_limited', reason: 'write_volume', retryAfterSeconds: 42 }),
    );
    clock.advance(41_499);
    expect(adds(1, 1)).toBe(false);
    clock.advance(1);
    expect(adds(1, 100)).toBe(true);
  });

  it('0: any number', () => {
    expect(start(0).adds(1, Number.MAX_SAFE_INTEGER)).toBe(true);
  });

  it('is bounded in consumers: the one that wrote longest ago goes', () => {
    const { adds } = start(1, 2);
    expect([1, 2, 3, 2, 1].map((consumerId) => adds(consumerId, 1))).toEqual([true, true, true, false, true]);
  });
});
