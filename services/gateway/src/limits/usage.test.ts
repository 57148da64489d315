import { describe, expect, it } from '@jest/globals';
import { testClock } from '@joblisting/testing';
import { windowAt } from './minutes.ts';
import { countUsage } from './usage.ts';

const NOON = '2026-11-20T12:00:00Z';
const window = windowAt(Date.parse(NOON));
const start = (at = NOON) => {
  const clock = testClock(at);
  return { clock, usage: countUsage(clock) };
};
type Counter = ReturnType<typeof start>['usage'];
const takeMany = (usage: Counter, times: number, quota: number) =>
  Array.from({ length: times }, () => usage.take(1, 'reads', quota)).filter(Boolean).length;
const told = (gateway: string, at: number, ...counts: [number, number, number][]) => ({
  gateway,
  window: at,
  asks: false,
  counts,
});

describe('one gateway', () => {
  it('lets exactly the quota through in a window, and as many in the next', () => {
    const { usage, clock } = start();
    expect(takeMany(usage, 20, 7)).toBe(7);
    clock.advance(59_999);
    expect(takeMany(usage, 1, 7)).toBe(0);
    clock.advance(1);
    expect(takeMany(usage, 20, 7)).toBe(7);
  });

  it('counts consumers and kinds apart', () => {
    const { usage } = start();
    expect([usage.take(1, 'reads', 1), usage.take(1, 'writes', 1), usage.take(2, 'reads', 1)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(usage.left(1, 'reads', 1)).toBe(0);
    expect(usage.left(2, 'writes', 1)).toBe(1);
  });

  it('gives back what was counted in the same window only', () => {
    const { usage, clock } = start();
    takeMany(usage, 3, 5);
    usage.giveBack(window, 1, 'reads', 5);
    expect(usage.left(1, 'reads', 5)).toBe(3);
    clock.advance(60_000);
    usage.take(1, 'reads', 5);
    usage.giveBack(window, 1, 'reads', 5);
    expect(usage.left(1, 'reads', 5)).toBe(4);
  });

  it('goes on with the window where its clock steps back a little, and starts anew after a long way', () => {
    const { usage, clock } = start();
    takeMany(usage, 3, 5);
    clock.advance(-10);
    expect([usage.left(1, 'reads', 5), usage.secondsLeft()]).toEqual([2, 61]);
    clock.advance(-3_600_000);
    expect([usage.left(1, 'reads', 5), usage.window()]).toEqual([5, window - 61]);
  });

  it('keeps no more consumers than it may; the first goes', () => {
    const usage = countUsage(testClock(NOON), 2);
    for (const consumerId of [1, 2, 3]) usage.take(consumerId, 'reads', 5);
    expect(usage.size()).toBe(2);
    expect([1, 2, 3].map((consumerId) => usage.left(consumerId, 'reads', 5))).toEqual([5, 4, 4]);
  });

  it('keeps nothing of windows that are over', () => {
    const { usage, clock } = start();
    for (let consumerId = 0; consumerId < 1000; consumerId++) usage.take(consumerId, 'reads', 5);
    clock.advance(60_000);
    usage.window();
    expect(usage.size()).toBe(0);
  });
});

describe('with other gateways', () => {
  it('counts the sum of their totals; what comes again changes nothing', () => {
    const { usage } = start();
    usage.hear(told('a', window, [1, 3, 1]));
    usage.hear(told('b', window, [1, 2, 0]));
    usage.hear(told('b', window, [1, 2, 0]));
    usage.hear(told('a', window, [1, 4, 1]));
    expect([usage.left(1, 'reads', 10), usage.left(1, 'writes', 10)]).toEqual([4, 9]);
  });

  it('hears of totals that fell: what was not modified is given back', () => {
    const { usage } = start();
    usage.hear(told('a', window, [1, 3, 0]));
    usage.hear(told('a', window, [1, 2, 0]));
    expect(usage.left(1, 'reads', 10)).toBe(8);
  });

  it('lets 5 % more through, but tells that nothing is left', () => {
    const { usage } = start();
    usage.hear(told('a', window, [1, 90, 0]));
    expect(takeMany(usage, 50, 100)).toBe(15);
    expect(usage.left(1, 'reads', 100)).toBe(0);
  });

  it('begins the window with the first whose clock says so', () => {
    const { usage, clock } = start('2026-11-20T11:59:56Z');
    takeMany(usage, 5, 5);
    usage.hear(told('ahead', window));
    expect([usage.window(), usage.left(1, 'reads', 5), usage.secondsLeft()]).toEqual([window, 5, 64]);
    clock.advance(10_000);
    expect([usage.window(), usage.secondsLeft()]).toEqual([window, 54]);
  });

  it('keeps what is told of a window that is far ahead until it comes', () => {
    const { usage, clock } = start('2026-11-20T11:59:30Z');
    usage.hear(told('ahead', window, [1, 2, 0]));
    expect(usage.left(1, 'reads', 5)).toBe(5);
    clock.advance(30_000);
    expect(usage.left(1, 'reads', 5)).toBe(3);
  });

  it.each([
    ['past', window - 1],
    ['long past', window - 1000],
    ['after the next', window + 2],
  ])('ignores a %s window', (_which, at) => {
    const { usage, clock } = start();
    usage.hear(told('a', at, [1, 2, 0]));
    expect(usage.size()).toBe(0);
    clock.advance(120_000);
    expect(usage.left(1, 'reads', 5)).toBe(5);
  });

  it('stays bounded where gateways come and go', () => {
    const { usage } = start();
    for (let each = 0; each < 200; each++) usage.hear(told(`gateway-${each}`, window, [1, 1, 0]));
    expect(usage.left(1, 'reads', 1000)).toBe(1000 - 64);
  });
});

describe('what is to be told', () => {
  it('is each change once, as a total', () => {
    const { usage } = start();
    takeMany(usage, 3, 100);
    usage.take(2, 'writes', 100);
    expect(usage.changes()).toEqual([
      [1, 3, 0],
      [2, 0, 1],
    ]);
    expect(usage.changes()).toEqual([]);
    usage.take(1, 'writes', 100);
    expect(usage.changes()).toEqual([[1, 3, 1]]);
  });

  it('is nothing where all was given back meanwhile', () => {
    const { usage } = start();
    usage.take(1, 'reads', 100);
    usage.giveBack(window, 1, 'reads', 100);
    expect(usage.changes()).toEqual([]);
  });

  it('is all that ever changed once somebody asks', () => {
    const { usage } = start();
    usage.take(1, 'reads', 100);
    usage.hear(told('a', window, [2, 5, 5]));
    usage.take(3, 'reads', 100);
    usage.changes();
    usage.giveBack(window, 3, 'reads', 100);
    usage.tellAll();
    expect(usage.changes()).toEqual([
      [3, 0, 0],
      [1, 1, 0],
    ]);
  });

  it('is nothing of a window that is over', () => {
    const { usage, clock } = start();
    usage.take(1, 'reads', 100);
    clock.advance(60_000);
    expect(usage.changes()).toEqual([]);
  });

  it.each([
    ['every request of a small quota', 10, 1],
    ['each 150 of a large one', 12_000, 150],
  ])('is urgent for %s', (_what, quota, many) => {
    const { usage } = start();
    let hurries = 0;
    usage.onHurry(() => hurries++);
    takeMany(usage, many - 1, quota);
    expect(hurries).toBe(0);
    takeMany(usage, 1, quota);
    expect(hurries).toBe(1);
  });
});
