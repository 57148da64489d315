import { AsyncLocalStorage } from 'node:async_hooks';

interface Group<T> {
  readonly items: T[];
  readonly inContext: <R>(work: () => R) => R;
}

/** One group must stay short, whoever waits for it. */
const MOST_AT_ONCE = 32;
const STUCK_MS = 100;

interface GroupsOptions {
  /** A group that takes longer is stuck, and others do not wait for its end: 100 ms by default. */
  readonly stuckMs?: number;
}

/**
 * Hands what comes while a group is under way on as the next one. Each group begins after all of it has come; where
 * none is under way, at the end of the turn of the event loop: requests that were read from a socket at once are one
 * group, and whoever comes alone notices nothing. A group is a part of the trace of the first in it.
 * @param run does what all of them need; must not reject
 */
export function inGroups<T>(
  run: (group: readonly T[]) => Promise<void>,
  { stuckMs = STUCK_MS }: GroupsOptions = {},
): (item: T) => void {
  const waiting: Group<T>[] = [];
  let underWay = 0;

  const beginNext = (): void => {
    if (underWay > 0) return;
    const group = waiting.shift();
    if (!group) return;
    const leave = occupy();
    group.inContext(() => void run(group.items).finally(leave));
  };

  /** Counts one more group under way, until it ends or is stuck. */
  const occupy = (): (() => void) => {
    let isCounted = true;
    underWay += 1;
    const leave = () => {
      clearTimeout(stuck);
      if (!isCounted) return;
      isCounted = false;
      underWay -= 1;
      beginNext();
    };
    const stuck = setTimeout(leave, stuckMs);
    return leave;
  };

  /** The context costs as much as a part of the group's work: it is kept of the first only. */
  const openGroup = (): Group<T> => {
    const last = waiting.at(-1);
    if (last && last.items.length < MOST_AT_ONCE) return last;
    const group = { items: [], inContext: AsyncLocalStorage.snapshot() };
    waiting.push(group);
    return group;
  };

  return (item) => {
    if (waiting.length === 0 && underWay === 0) process.nextTick(beginNext);
    openGroup().items.push(item);
  };
}
