import { AsyncResource } from 'node:async_hooks';

interface Group<T> {
  readonly items: T[];
  readonly context: AsyncResource;
}

interface UnderWay {
  /** When it is stuck, by the monotonic clock. */
  readonly until: number;
}

/** One group must stay short, whoever waits for it. */
const MOST_AT_ONCE = 32;
const STUCK_MS = 100;
/** What came so long ago says nothing of what is coming. */
const FORGOTTEN_MS = 100;
const GATHER_MS = 3;

interface GroupsOptions {
  /** A group that takes longer is stuck, and others do not wait for its end: 100 ms by default. */
  readonly stuckMs?: number;
  /** Whether the next group waits a little for as many as the last one had: not by default. */
  readonly gathers?: boolean;
}

/**
 * Hands what comes while a group is under way on as the next one, which begins when that has ended, or it is full itself.
 * Each group begins after all of it has come; where none is under way, at the end of the turn of the event loop: requests
 * that were read from a socket at once are one group, and whoever comes alone notices nothing, unless it gathers right
 * behind several. A group is a part of the trace of the first in it.
 *
 * Worth of gathering: with 32 new jobs under way, groups of 17 to 22 instead of 12, a sixth of the CPU that the
 * database takes for each, and up to a fifth of the services'.
 * @param run does what all of them need; must not reject
 */
export function inGroups<T>(
  run: (group: readonly T[]) => Promise<void>,
  { stuckMs = STUCK_MS, gathers = false }: GroupsOptions = {},
): (item: T) => void {
  const waiting: Group<T>[] = [];
  /** The oldest first. */
  const underWay: UnderWay[] = [];
  let watching: NodeJS.Timeout | undefined;
  let lastSize = 1;
  let lastBegunAt = 0;
  let gathering: NodeJS.Timeout | undefined;

  const beginNext = (): void => {
    const [next] = waiting;
    if (!next || (underWay.length > 0 && next.items.length < MOST_AT_ONCE)) return;
    const expected = performance.now() - lastBegunAt < FORGOTTEN_MS ? lastSize : 1;
    if (!gathers || next.items.length >= expected) begin();
    else gathering ??= setTimeout(begin, GATHER_MS);
  };

  const begin = (): void => {
    clearTimeout(gathering);
    gathering = undefined;
    const group = waiting.shift();
    if (!group) return;
    lastSize = group.items.length;
    lastBegunAt = performance.now();
    const leave = occupy();
    if (waiting.length > 0) watch();
    group.context.runInAsyncScope(() => void run(group.items).finally(leave));
  };

  /** Counts one more group under way, until it ends or is stuck. */
  const occupy = (): (() => void) => {
    const group = { until: lastBegunAt + stuckMs };
    underWay.push(group);
    return () => leave(group);
  };

  const leave = (group: UnderWay): void => {
    const at = underWay.indexOf(group);
    if (at < 0) return;
    underWay.splice(at, 1);
    beginNext();
  };

  /** Groups that are stuck hold up nobody. */
  const freeStuck = (): void => {
    const now = performance.now();
    while (underWay[0] && underWay[0].until <= now) underWay.shift();
  };

  /** Only who waits for a group cares whether it is stuck: most groups need no timer. */
  const watch = (): void => {
    const [oldest] = underWay;
    if (!oldest || watching) return;
    const goOn = () => {
      watching = undefined;
      freeStuck();
      beginNext();
      if (waiting.length > 0) watch();
    };
    watching = setTimeout(goOn, Math.max(0, Math.ceil(oldest.until - performance.now()))).unref();
  };

  /** The context is kept of the first only. As `AsyncLocalStorage.snapshot` it would cost 2.6 µs, fifty times as much. */
  const openGroup = (): Group<T> => {
    const last = waiting.at(-1);
    if (last && last.items.length < MOST_AT_ONCE) return last;
    const group = { items: [], context: new AsyncResource('Group') };
    waiting.push(group);
    return group;
  };

  return (item) => {
    if (underWay.length > 0) freeStuck();
    const group = openGroup();
    group.items.push(item);
    const { length } = group.items;
    const mayBegin = underWay.length === 0 && (length === 1 || length === lastSize);
    if (mayBegin || length === MOST_AT_ONCE) process.nextTick(beginNext);
    watch();
  };
}
