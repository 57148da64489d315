import { expect, it } from '@jest/globals';
import { pauseAfter } from './remove-bitlinks.ts';

it.each([
  [1, 30],
  [2, 60],
  [5, 480],
  [10, 15_360],
  [11, 21_600],
  [15, 21_600],
])('pauseAfter: after %i failed attempts the pause is %i s', (attempts, seconds) => {
  expect(pauseAfter(attempts)).toBe(seconds * 1000);
});
