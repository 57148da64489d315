import { describe, expect, it } from '@jest/globals';
import { testClock } from '@joblisting/testing';
import { windowAt } from './quota.ts';
import { countUsage } from './usage.ts';

const NOON = '2026-11-20T12:00:00Z';
const window = windowAt(Date.parse(NOON));
const start = (at = NOON) => {
  const clock = testClock(at);
  return { clock, usage: countUsage(clock) };
};
type Counter = ReturnType<typeof start>['usage'];
const takeMany = (usage: Counter, times: number, quota: number) =>
  Array.from({ length: times }, () => usage.tryTake(1, 'reads', quota)).filter(Boolean).length;
const totalsOf = (gateway: string, at: number, ...counts: [number, number, number][]) => ({
  gateway,
  window: at,
  counts: counts.map(([consumerId, reads, writes]) => ({ consumerId, reads, writes })),
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
    const taken = [usage.tryTake(1, 'reads', 1), usage.tryTake(1, 'writes', 1), usage.tryTake(2, 'reads', 1)];
    expect(taken).toEqual([true, true, true]);
    expect(usage.left(1, 'reads', 1)).toBe(0);
    expect(usage.left(2, 'writes', 1)).toBe(1);
  });

  it('gives back what was counted in the same window only', () => {
    const { usage, clock } = start();
    takeMany(usage, 3, 5);
    usage.giveBack(window, 1, 'reads');
    expect(usage.left(1, 'reads', 5)).toBe(3);
    clock.advance(60_000);
    usage.tryTake(1, 'reads', 5);
    usage.giveBack(window, 1, 'reads');
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

  it('keeps no more consumers than it may', () => {
    const usage = countUsage(testClock(NOON), 2);
    for (const consumerId of [1, 2, 3]) usage.tryTake(consumerId, 'reads', 5);
    expect([1, 2, 3].map((consumerId) => usage.left(consumerId, 'reads', 5))).toEqual([5, 4, 4]);
  });

  it('tells its totals of the current window', () => {
    const { usage, clock } = start();
    takeMany(usage, 3, 100);
    usage.tryTake(2, 'writes', 100);
    usage.fold(totalsOf('a', window, [9, 5, 5]));
    const counts = [
      { consumerId: 1, reads: 3, writes: 0 },
      { consumerId: 2, reads: 0, writes: 1 },
    ];
    expect(usage.totals().toSorted((a, b) => a.consumerId - b.consumerId)).toEqual(counts);
    clock.advance(60_000);
    expect(usage.totals()).toEqual([]);
  });
});

describe('with other gateways', () => {
  it('adds up their totals; a repeated message changes nothing', () => {
    const { usage } = start();
    usage.fold(totalsOf('a', window, [1, 3, 1]));
    usage.fold(totalsOf('b', window, [1, 2, 0]));
    usage.fold(totalsOf('b', window, [1, 2, 0]));
    usage.fold(totalsOf('a', window, [1, 4, 1]));
    expect([usage.left(1, 'reads', 10), usage.left(1, 'writes', 10)]).toEqual([4, 9]);
  });

  it('takes totals that fell: a 304 is given back', () => {
    const { usage } = start();
    usage.fold(totalsOf('a', window, [1, 3, 0]));
    usage.fold(totalsOf('a', window, [1, 2, 0]));
    expect(usage.left(1, 'reads', 10)).toBe(8);
  });

  it('lets 5 % more through, but tells that nothing is left', () => {
    const { usage } = start();
    usage.fold(totalsOf('a', window, [1, 90, 0]));
    expect(takeMany(usage, 50, 100)).toBe(15);
    expect(usage.left(1, 'reads', 100)).toBe(0);
  });

  it('begins the window with the first gateway whose clock says so', () => {
    const { usage, clock } = start('2026-11-20T11:59:56Z');
    takeMany(usage, 5, 5);
    usage.fold(totalsOf('ahead', window));
    expect([usage.window(), usage.left(1, 'reads', 5), usage.secondsLeft()]).toEqual([window, 5, 64]);
    clock.advance(10_000);
    expect([usage.window(), usage.secondsLeft()]).toEqual([window, 54]);
  });

  it('keeps the totals of a window that is far ahead until it begins', () => {
    const { usage, clock } = start('2026-11-20T11:59:30Z');
    usage.fold(totalsOf('ahead', window, [1, 2, 0]));
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
    usage.fold(totalsOf('a', at, [1, 2, 0]));
    clock.advance(120_000);
    expect(usage.left(1, 'reads', 5)).toBe(5);
  });

  it('stays bounded where gateways come and go', () => {
    const { usage } = start();
    for (let each = 0; each < 200; each++) usage.fold(totalsOf(`gateway-${each}`, window, [1, 1, 0]));
    expect(usage.left(1, 'reads', 1000)).toBe(1000 - 64);
  });

  it('stays bounded where one tells of ever more consumers', () => {
    const usage = countUsage(testClock(NOON), 2);
    for (const consumerId of [1, 2, 3]) usage.fold(totalsOf('a', window, [consumerId, 1, 0]));
    expect([1, 2, 3].map((consumerId) => usage.left(consumerId, 'reads', 5))).toEqual([4, 4, 5]);
  });

  it('stays bounded in all: drops the totals of the gateway that reported longest ago', () => {
    const usage = countUsage(testClock(NOON), 2, 3);
    for (const gateway of ['a', 'b']) usage.fold(totalsOf(gateway, window, [1, 1, 0], [2, 1, 0]));
    expect(usage.left(1, 'reads', 5)).toBe(4);
    usage.fold(totalsOf('c', window, [1, 2, 0]));
    expect(usage.left(1, 'reads', 5)).toBe(2);
  });
});
