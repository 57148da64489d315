import { deadlineExceeded, overloaded } from '@joblisting/contracts';
import DataLoader from 'dataloader';
import pLimit, { type LimitFunction } from 'p-limit';

/** No call waits longer for the batch before its own: that one's server may be frozen. */
const STUCK_MS = 100;

/** The most keys of one batch. */
const MOST_KEYS = 32;

/**
 * Lets calls that come while a batch is under way share the next one. Each batch starts after its calls came, so a
 * caller sees what it has written before. A call that comes alone goes out at once. Halves CPU at 32 connections.
 * @param loadMany resolves to one value or Error for each key, in their order; where it rejects, all of its calls do
 */
export function batcher<K, V>(
  loadMany: (keys: readonly K[]) => Promise<readonly (V | Error)[]>,
): (key: K) => Promise<V> {
  let underWay: Promise<unknown> | undefined;
  const load = (keys: readonly K[]) => {
    const batch = loadMany(keys);
    underWay = batch;
    const end = () => {
      if (underWay === batch) underWay = undefined;
    };
    batch.then(end, end);
    return batch;
  };
  const schedule = (dispatch: () => void): void => {
    if (underWay) void doneWithin(underWay, STUCK_MS).then(dispatch);
    else process.nextTick(dispatch);
  };
  const options = { cache: false, maxBatchSize: MOST_KEYS, batchScheduleFn: schedule };
  const loader = new DataLoader<K, V>(load, options);
  return (key) => loader.load(key);
}

interface Flight<T> {
  readonly current: Promise<T>;
  next?: Promise<T>;
}

/**
 * Lets calls for one key that come while a run for it is under way share the next run. Each run starts after its
 * calls came, so a caller sees what it has written before. A run that fails fails for those who share it alone.
 */
export function singleFlight<T>({ stuckMs = STUCK_MS }: { readonly stuckMs?: number } = {}): (
  key: string,
  run: () => Promise<T>,
) => Promise<T> {
  const flights = new Map<string, Flight<T>>();

  const start = (key: string, run: () => Promise<T>): Promise<T> => {
    const flight: Flight<T> = { current: run() };
    flights.set(key, flight);
    const end = () => {
      if (flights.get(key) === flight && !flight.next) flights.delete(key);
    };
    flight.current.then(end, end);
    return flight.current;
  };

  return (key, run) => {
    const flight = flights.get(key);
    if (!flight) return start(key, run);
    return (flight.next ??= doneWithin(flight.current, stuckMs).then(() => start(key, run)));
  };
}

/** One writer at a time for each key, in this process. */
export interface Mutex {
  /**
   * Runs `work` once no other work for `key` runs. Rejects with `overloaded` (`contention`), the work not started,
   * where its turn has not come by `startBy` (epoch ms).
   */
  readonly run: <T>(key: string, startBy: number, work: () => Promise<T>) => Promise<T>;
}

export function mutex(): Mutex {
  const queues = new Map<string, LimitFunction>();
  return {
    run: (key, startBy, work) => {
      const queue = queues.get(key) ?? pLimit(1);
      queues.set(key, queue);
      const started = Promise.withResolvers<void>();
      let isGivenUp = false;
      const contended = () => {
        isGivenUp = true;
        return overloaded('contention');
      };
      const turn = queue(() => {
        if (isGivenUp || Date.now() >= startBy) throw contended();
        started.resolve();
        return work();
      });
      const leave = () => {
        if (queue.activeCount + queue.pendingCount === 0) queues.delete(key);
      };
      turn.then(leave, leave);
      const waited = withTimeout(Promise.race([started.promise, turn]), startBy - Date.now(), contended);
      return waited.then(() => turn);
    },
  };
}

/** Runs at most this many at once of what it is given; the others wait in the order in which they came. */
export const semaphore = (atOnce: number): LimitFunction => pLimit(atOnce);

/** What `work` comes to, unless it takes longer than `limitMs`: then rejects with `error()`, and the work goes on. */
export async function withTimeout<T>(
  work: Promise<T>,
  limitMs: number,
  error: () => Error = () => deadlineExceeded(),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(error()), Math.max(0, limitMs));
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when `work` is done, or after `limitMs`; never rejects. */
const doneWithin = (work: Promise<unknown>, limitMs: number): Promise<unknown> =>
  withTimeout(work, limitMs).catch(() => undefined);
