import { describe, expect, it } from '@jest/globals';
import { seededBytes, seededRandom, sequence } from './deterministic.ts';

describe('deterministic helpers', () => {
  it('counts up', () => {
    const next = sequence(7);
    expect([next(), next()]).toEqual([7, 8]);
  });

  it('repeats itself for a seed and stays in range', () => {
    const draw = (seed: number) => Array.from({ length: 1000 }, seededRandom(seed));
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(draw(3).every((value) => value >= 0 && value < 1)).toBe(true);
  });

  it('gives bytes of the length asked for', () => {
    expect(seededBytes(1)(32)).toHaveLength(32);
    expect(seededBytes(1)(8)).toEqual(seededBytes(1)(8));
  });
});
