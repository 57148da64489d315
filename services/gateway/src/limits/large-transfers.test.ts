import { expect, it } from '@jest/globals';
import { largeTransfers } from './large-transfers.ts';

const MEBI = 1024 * 1024;
const start = () => {
  let now = 0;
  const transfers = largeTransfers<number | string>(() => now);
  return { ...transfers, advance: (ms: number) => (now += ms) };
};

it('lets a client be a quarter of a second ahead of its rate, then wait', () => {
  const { mayStart, add, advance } = start();
  add(1, 3 * MEBI);
  expect(mayStart(1, true)).toBe(true);
  add(1, 3 * MEBI);
  expect([mayStart(1, true), mayStart(2, true), mayStart('1', true)]).toEqual([false, true, true]);
  advance(125);
  expect(mayStart(1, true)).toBe(false);
  advance(1);
  expect(mayStart(1, true)).toBe(true);
});

it('lets other requests start until the client is a whole second ahead', () => {
  const { mayStart, add } = start();
  add(1, 15 * MEBI);
  expect([mayStart(1, true), mayStart(1, false)]).toEqual([false, true]);
  add(1, MEBI);
  expect(mayStart(1, false)).toBe(false);
});

it('counts nothing that is small', () => {
  const { mayStart, add } = start();
  for (let each = 0; each < 400; each++) add(1, MEBI / 16 - 1);
  expect(mayStart(1, true)).toBe(true);
  for (let each = 0; each < 64; each++) add(1, MEBI / 16);
  expect(mayStart(1, true)).toBe(false);
});

it('saves up nothing', () => {
  const { mayStart, add, advance } = start();
  advance(3_600_000);
  add(1, 4 * MEBI);
  expect(mayStart(1, true)).toBe(false);
});
