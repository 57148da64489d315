import { setTimeout as delay } from 'node:timers/promises';

export interface SharedByKeyOptions<Q, T> {
  readonly keyOf: (question: Q) => string;
  readonly read: (question: Q) => Promise<T>;
}

/** What is under way for one key, and what comes after it. */
interface Reading<T> {
  readonly current: Promise<T>;
  next?: Promise<T>;
}

/** A read that takes longer is stuck: the next one does not wait for its end. */
const STUCK_MS = 100;

/**
 * Lets equal questions that come while one of them is being answered share the next answer. Each read begins after
 * it was asked for, so whoever has written sees it; other questions do not wait for it. With 32 clients at the same
 * list, a list costs the service and the database a small part of what it costs alone.
 * A read that fails is the failure of all who share it, and of nobody else.
 */
export function sharedByKey<Q, T>({ keyOf, read }: SharedByKeyOptions<Q, T>): (question: Q) => Promise<T> {
  const underWay = new Map<string, Reading<T>>();

  const begin = (key: string, question: Q): Promise<T> => {
    const reading: Reading<T> = { current: read(question) };
    underWay.set(key, reading);
    const leave = () => {
      if (underWay.get(key) === reading && !reading.next) underWay.delete(key);
    };
    reading.current.then(leave, leave);
    return reading.current;
  };

  const after = async (current: Promise<T>, key: string, question: Q): Promise<T> => {
    const waited = new AbortController();
    const stuck = delay(STUCK_MS, undefined, waited).catch(() => undefined);
    await Promise.race([current.catch(() => undefined), stuck]);
    waited.abort();
    return begin(key, question);
  };

  return (question) => {
    const key = keyOf(question);
    const reading = underWay.get(key);
    return reading ? (reading.next ??= after(reading.current, key, question)) : begin(key, question);
  };
}
