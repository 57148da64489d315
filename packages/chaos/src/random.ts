import { randomFrom } from '@joblisting/testing';

export type Random = ReturnType<typeof randomOf>;

/** Random choices that repeat for a seed and stream. Each actor has its own stream. */
export function randomOf(seed: number, stream = 0) {
  const { next, below, pick } = randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b));
  const whole = (from: number, to: number): number => from + below(to - from + 1);
  return {
    next,
    /** A whole number, both ends included. */
    whole,
    chance: (probability: number): boolean => next() < probability,
    pick,
    shuffle: <T>(items: readonly T[]): T[] => {
      const shuffled = [...items];
      for (let index = shuffled.length - 1; index > 0; index--) {
        const other = whole(0, index);
        [shuffled[index], shuffled[other]] = [shuffled[other] as T, shuffled[index] as T];
      }
      return shuffled;
    },
  };
}
