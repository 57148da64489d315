import { setTimeout as delay } from 'node:timers/promises';
import { LARGE_BYTES } from './large-transfers.ts';

const PAUSE_MS = 200;
/** The longest pause: for a large body, which the gateway has to read and drop as well. */
export const LARGE_PAUSE_MS = 1000;
/** The most refusals that wait, because each holds a request. More are sent at once. */
const MOST_WAITING = 1000;
/** Chunked requests get this many pauses only: node buffers up to 400 kB of small chunks for each. */
const MOST_WITH_CHUNKED = 100;

export type RefusalPause = ReturnType<typeof refusalPause>;

/**
 * Delays the refusals of a client that sends too much, so that repeating them at once costs the gateway little.
 * @param wait resolves after so many milliseconds
 * @returns resolves to the milliseconds that it took
 */
export function refusalPause(wait: (ms: number) => Promise<unknown> = delay) {
  let waiting = 0;
  return async (bodyBytes: number, isChunked: boolean): Promise<number> => {
    if (waiting >= (isChunked ? MOST_WITH_CHUNKED : MOST_WAITING)) return 0;
    const ms = bodyBytes < LARGE_BYTES ? PAUSE_MS : LARGE_PAUSE_MS;
    waiting++;
    await wait(ms);
    waiting--;
    return ms;
  };
}
