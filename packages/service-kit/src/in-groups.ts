interface GroupOptions<T> {
  /** Does what all of them need. Must not reject. */
  readonly run: (group: readonly T[]) => Promise<void>;
}

/** One group must stay short, whoever waits for it. */
const MOST_AT_ONCE = 32;
/** A group that takes longer is stuck: others do not wait for its end. */
const STUCK_MS = 100;

/**
 * Hands what comes while a group is under way on as the next one. Each group begins after all of it has come, and at
 * once where none is under way: whoever comes alone notices nothing.
 */
export function inGroups<T>({ run }: GroupOptions<T>): (item: T) => void {
  let waiting: T[] = [];
  let underWay = 0;

  const beginNext = (): void => {
    if (underWay > 0 || waiting.length === 0) return;
    const group = waiting.slice(0, MOST_AT_ONCE);
    waiting = waiting.slice(MOST_AT_ONCE);
    void run(group).finally(occupy());
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
    waiting.push(item);
    beginNext();
  };
}
