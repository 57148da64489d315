import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { inGroups } from './in-groups.ts';

interface Begun {
  readonly group: readonly number[];
  readonly end: () => void;
}

/** Groups that end when they are told to. */
function setUp() {
  const begun: Begun[] = [];
  const add = inGroups<number>((group) => new Promise((end) => begun.push({ group, end })));
  return { begun, add, groups: () => begun.map(({ group }) => group) };
}

/** What follows the end of a group is done by then. */
const turn = () => new Promise(setImmediate);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

afterEach(() => {
  jest.useRealTimers();
});

describe('what comes', () => {
  it('begins with what comes in the same turn where nothing is under way', async () => {
    const { add, begun, groups } = setUp();
    add(1);
    void Promise.resolve().then(() => add(2));
    await turn();
    expect(groups()).toEqual([[1, 2]]);
    begun[0]?.end();
    await turn();
    add(3);
    await turn();
    expect(groups()).toEqual([[1, 2], [3]]);
  });

  it('waits for the group under way and is the next one, in the order in which it came', async () => {
    const { add, begun, groups } = setUp();
    add(1);
    await turn();
    for (const item of [2, 3]) add(item);
    await turn();
    expect(groups()).toEqual([[1]]);
    begun[0]?.end();
    await turn();
    expect(groups()).toEqual([[1], [2, 3]]);
  });

  it('is split where it is too much', async () => {
    const { add, begun } = setUp();
    for (const item of numbers(70)) add(item);
    await turn();
    for (const [index, size] of [32, 32, 6].entries()) {
      expect(begun[index]?.group).toHaveLength(size);
      begun[index]?.end();
      await turn();
    }
  });

  it('does not wait for a group that is stuck, nor does what comes then overtake each other', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    const { add, begun, groups } = setUp();
    add(1);
    await turn();
    add(2);
    jest.advanceTimersByTime(99);
    expect(groups()).toEqual([[1]]);
    jest.advanceTimersByTime(1);
    expect(groups()).toEqual([[1], [2]]);
    add(3);
    begun[0]?.end();
    await turn();
    expect(groups()).toEqual([[1], [2]]);
    begun[1]?.end();
    await turn();
    expect(groups()).toEqual([[1], [2], [3]]);
  });
});
