import { deadlineExceeded, overloaded } from '@joblisting/contracts';
import DataLoader from 'dataloader';
import pLimit, { type LimitFunction } from 'p-limit';

/** A call waits at most this long for the batch before its own, whose server may be frozen. */
const STUCK_MS = 100;

/** The most keys of one batch. */
const MAX_KEYS = 32;

/**
 * Batches the calls that come while a batch is under way. A batch starts after its calls came, so a caller sees its own
 * earlier writes. A single call goes out at once. Halves CPU at 32 connections.
 * @param loadMany resolves to one value or Error for each key, in their order; if it rejects, so do all of its calls
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
  const options = { cache: false, maxBatchSize: MAX_KEYS, batchScheduleFn: schedule };
  const loader = new DataLoader<K, V>(load, options);
  return (key) => loader.load(key);
}

interface Flight<T> {
  readonly current: Promise<T>;
  next?: Promise<T>;
}

/**
 * Calls for one key that come during a run share the next one. A run starts after its calls came, so a caller sees its
 * own earlier writes. A failed run fails only the calls that share it.
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
   * Runs `work` when no other work for `key` runs. Rejects with `overloaded` (`contention`), without starting it, if
   * that does not happen by `startBy` (epoch ms).
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
      const result = queue(() => {
        if (isGivenUp || Date.now() >= startBy) throw contended();
        started.resolve();
        return work();
      });
      const dropIdleQueue = () => {
        if (queue.activeCount + queue.pendingCount === 0) queues.delete(key);
      };
      result.then(dropIdleQueue, dropIdleQueue);
      const waited = withTimeout(Promise.race([started.promise, result]), startBy - Date.now(), contended);
      return waited.then(() => result);
    },
  };
}

/** Runs at most this many tasks at once; the others wait in order. */
export const semaphore = (limit: number): LimitFunction => pLimit(limit);

/** Resolves or rejects as `work` does. After `limitMs` it rejects with `error()`, and the work goes on. */
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
