import { describe, expect, it } from '@jest/globals';
import { randomOf } from './random.ts';

const draw = (seed: number, stream: number): number[] => {
  const random = randomOf(seed, stream);
  return Array.from({ length: 20 }, () => random.whole(1, 1000));
};

describe('randomOf', () => {
  it('repeats itself for the same seed and stream only', () => {
    expect(draw(1, 0)).toEqual(draw(1, 0));
    expect(draw(1, 0)).not.toEqual(draw(1, 1));
    expect(draw(1, 0)).not.toEqual(draw(2, 0));
  });

  it('draws whole numbers including both ends of the range', () => {
    const random = randomOf(5);
    const drawn = new Set(Array.from({ length: 200 }, () => random.whole(3, 5)));
    expect(drawn).toEqual(new Set([3, 4, 5]));
  });

  it('shuffles without losing items', () => {
    const items = [1, 2, 3, 4, 5, 6, 7, 8];
    const shuffled = randomOf(1).shuffle(items);
    expect(shuffled).not.toEqual(items);
    expect(new Set(shuffled)).toEqual(new Set(items));
  });

  it('throws when it picks from an empty list', () => {
    expect(() => randomOf(1).pick([])).toThrow(RangeError);
  });
});
