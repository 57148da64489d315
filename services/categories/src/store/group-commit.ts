import { ServiceError } from '@joblisting/contracts';

/** Runs one piece of work after the other. Work must not reject. */
export type Lane = (work: () => Promise<void>) => void;

export function lane(): Lane {
  let last = Promise.resolve();
  return (work) => {
    last = last.then(work);
  };
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly deadline: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface GroupOptions<Item, Result> {
  /** What may not run beside each other shares a lane. */
  readonly lane: Lane;
  /** The most items in a group. */
  readonly most: number;
  /** Does the work of all items at once. Its results stand in the order of the items; a ServiceError refuses one. */
  readonly apply: (items: readonly Item[], deadline: number) => Promise<readonly (Result | ServiceError)[]>;
}

/**
 * Items that come while a group is under way wait, and form the next group. Many jobs want the same few
 * categories at once: transactions of their own would conflict and run again and again, one for all of them does
 * not. An item that has passed its deadline while it waited is refused, not begun. A group has the latest deadline
 * of its items: one that cannot wait must not cost the others theirs. What waits is bounded by what
 * the callers have under way: `MAX_IN_FLIGHT` requests, of up to a hundred items each.
 */
export function groupCommit<Item, Result>(options: GroupOptions<Item, Result>) {
  const waiting: Waiting<Item, Result>[] = [];

  const runGroup = async (): Promise<void> => {
    const group = waiting.splice(0, options.most);
    if (waiting.length > 0) options.lane(runGroup);
    const now = Date.now();
    const live = group.filter(({ deadline }) => deadline > now);
    for (const late of group) {
      if (late.deadline <= now) late.reject(new ServiceError('deadline_exceeded'));
    }
    if (live.length === 0) return;
    try {
      const deadline = Math.max(...live.map((one) => one.deadline));
      const results = await options.apply(
        live.map(({ item }) => item),
        deadline,
      );
      for (const [index, one] of live.entries()) {
        const result = results[index] as Result | ServiceError;
        if (result instanceof ServiceError) one.reject(result);
        else one.resolve(result);
      }
    } catch (error) {
      for (const one of live) one.reject(error);
    }
  };

  return (item: Item, deadline: number): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, deadline, resolve, reject });
      if (waiting.length === 1) options.lane(runGroup);
    });
}
