import { expect, it } from '@jest/globals';
import { refusalPause } from './refusal-pause.ts';

const KIBI = 1024;

it.each([
  ['200 ms', 0, 200],
  ['200 ms', 256 * KIBI - 1, 200],
  ['a second with a large body', 256 * KIBI, 1000],
])('waits %s: %d bytes', async (_what, bytes, ms) => {
  const waits: number[] = [];
  const pause = refusalPause(async (each) => waits.push(each));
  expect(await pause(bytes)).toBe(ms);
  expect(waits).toEqual([ms]);
});

it('lets 1,000 refusals wait, and sends more at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const pause = refusalPause(() => promise);
  const waiting = Array.from({ length: 1000 }, () => pause(0));
  expect(await pause(0)).toBe(0);
  resolve();
  expect(await Promise.all(waiting)).toEqual(Array(1000).fill(200));
  expect(await pause(0)).toBe(200);
});
