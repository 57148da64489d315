import { describe, expect, it } from '@jest/globals';
import { seededBytes, seededRandom, sequence } from './deterministic.ts';

describe('deterministic helpers', () => {
  it('sequence counts up', () => {
    const next = sequence(7);
    expect([next(), next()]).toEqual([7, 8]);
  });

  it('seededRandom repeats itself for a seed and stays in [0, 1)', () => {
    const draw = (seed: number) => Array.from({ length: 1000 }, seededRandom(seed));
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(draw(3).every((value) => value >= 0 && value < 1)).toBe(true);
  });

  it('seededBytes gives the requested number of bytes', () => {
    expect(seededBytes(1)(32)).toHaveLength(32);
    expect(seededBytes(1)(8)).toEqual(seededBytes(1)(8));
  });
});
