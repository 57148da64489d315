import { AsyncLocalStorage } from 'node:async_hooks';

interface Waiting<T> {
  readonly item: T;
  readonly inContext: <R>(work: () => R) => R;
}

/** One group must stay short, whoever waits for it. */
const MOST_AT_ONCE = 32;
/** A group that takes longer is stuck: others do not wait for its end. */
const STUCK_MS = 100;

/**
 * Hands what comes while a group is under way on as the next one. Each group begins after all of it has come, and at
 * once where none is under way: whoever comes alone notices nothing. A group is a part of the trace of the first in it.
 * @param run does what all of them need; must not reject
 */
export function inGroups<T>(run: (group: readonly T[]) => Promise<void>): (item: T) => void {
  let waiting: Waiting<T>[] = [];
  let underWay = 0;

  const beginNext = (): void => {
    const [first] = waiting;
    if (underWay > 0 || !first) return;
    const group = waiting.slice(0, MOST_AT_ONCE).map(({ item }) => item);
    waiting = waiting.slice(MOST_AT_ONCE);
    const leave = occupy();
    first.inContext(() => void run(group).finally(leave));
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
    const stuck = setTimeout(leave, STUCK_MS);
    return leave;
  };

  return (item) => {
    waiting.push({ item, inContext: AsyncLocalStorage.snapshot() });
    beginNext();
  };
}
