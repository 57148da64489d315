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
  expect(await pause(bytes, false)).toBe(ms);
  expect(waits).toEqual([ms]);
});

it('lets 1,000 refusals wait, and sends more at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const pause = refusalPause(() => promise);
  const waiting = Array.from({ length: 1000 }, () => pause(0, false));
  expect(await pause(0, false)).toBe(0);
  resolve();
  expect(await Promise.all(waiting)).toEqual(Array(1000).fill(200));
  expect(await pause(0, false)).toBe(200);
});

it('lets those with a chunked body wait only beside fewer than 100', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const pause = refusalPause(() => promise);
  const waiting = Array.from({ length: 100 }, () => pause(0, true));
  expect(await pause(0, true)).toBe(0);
  waiting.push(pause(0, false));
  resolve();
  expect(await Promise.all(waiting)).toEqual(Array(101).fill(200));
});
