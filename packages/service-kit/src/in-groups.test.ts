import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { inGroups } from './in-groups.ts';

interface Begun {
  readonly group: readonly number[];
  readonly end: () => void;
}

/** Groups that end when they are told to. */
function setUp(options?: Parameters<typeof inGroups>[1]) {
  const begun: Begun[] = [];
  const add = inGroups<number>((group) => new Promise((end) => begun.push({ group, end })), options);
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

  it('is split where it is too much, and what is full does not wait', async () => {
    const { add, begun, groups } = setUp();
    for (const item of numbers(70)) add(item);
    await turn();
    expect(groups().map(({ length }) => length)).toEqual([32, 32]);
    begun[0]?.end();
    await turn();
    expect(groups()).toHaveLength(2);
    begun[1]?.end();
    await turn();
    expect(groups().at(-1)).toHaveLength(6);
  });

  it('begins beside a group under way once it is full', async () => {
    const { add, groups } = setUp();
    add(0);
    await turn();
    for (const item of numbers(31)) add(item);
    await turn();
    expect(groups()).toHaveLength(1);
    add(32);
    await turn();
    expect(groups().at(-1)).toHaveLength(32);
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

describe('what came with a group that is stuck', () => {
  it('does not wait for it either', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    const { add, groups } = setUp();
    for (let item = 1; item <= 33; item++) add(item);
    await turn();
    expect(groups().map(({ length }) => length)).toEqual([32]);
    jest.advanceTimersByTime(100);
    expect(groups().map(({ length }) => length)).toEqual([32, 1]);
  });
});

describe('what comes long after many groups were stuck', () => {
  it('begins at once', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    const { add, groups } = setUp();
    for (const item of numbers(320)) add(item);
    await turn();
    expect(groups()).toHaveLength(10);
    jest.advanceTimersByTime(400);
    add(321);
    await turn();
    expect(groups().at(-1)).toEqual([321]);
  });
});

describe('what is to gather', () => {
  const setUpGathering = async (first: readonly number[]) => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    const groups = setUp({ gathers: true });
    for (const item of first) groups.add(item);
    await turn();
    groups.begun[0]?.end();
    await turn();
    return groups;
  };

  it('waits for as many as the last group had, and takes what comes with the last of them', async () => {
    const { add, groups } = await setUpGathering([1, 2, 3]);
    add(4);
    await turn();
    add(5);
    await turn();
    expect(groups()).toEqual([[1, 2, 3]]);
    for (const item of [6, 7]) add(item);
    await turn();
    expect(groups()).toEqual([
      [1, 2, 3],
      [4, 5, 6, 7],
    ]);
  });

  it('waits no longer than it is to, and the next one for no more than have come', async () => {
    const { add, begun, groups } = await setUpGathering([1, 2, 3]);
    add(4);
    await turn();
    jest.advanceTimersByTime(2);
    expect(groups()).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(groups()).toEqual([[1, 2, 3], [4]]);
    begun[1]?.end();
    await turn();
    add(5);
    await turn();
    expect(groups()).toEqual([[1, 2, 3], [4], [5]]);
  });

  it('does not wait where the last group was long ago', async () => {
    const { add, groups } = await setUpGathering([1, 2, 3]);
    jest.advanceTimersByTime(100);
    add(4);
    await turn();
    expect(groups()).toEqual([[1, 2, 3], [4]]);
  });

  it('does not wait where the last group had one', async () => {
    const { add, groups } = await setUpGathering([1]);
    add(2);
    await turn();
    expect(groups()).toEqual([[1], [2]]);
  });

  it('gathers behind a group under way as well', async () => {
    const { add, begun, groups } = await setUpGathering([1, 2]);
    for (const item of [3, 4]) add(item);
    await turn();
    add(5);
    begun[1]?.end();
    await turn();
    expect(groups()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    jest.advanceTimersByTime(3);
    expect(groups().at(-1)).toEqual([5]);
  });
});
