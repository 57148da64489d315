import { counts } from '@joblisting/service-kit/http';
import type { FastifyRequest } from 'fastify';
import { type Client, clientOf } from './client.ts';

/** The most requests that wait at once, in total and of one client. */
const MOST = 400;
const MOST_OF_ONE = 100;

export type LongPoll = ReturnType<typeof longPolls>;

/**
 * Executes requests that may wait for something to happen, beyond the time-out of other requests. They hold no place
 * among those that are worked on. Where too many wait, or once the gateway stops, they are executed without a wait.
 */
export function longPolls(stopping: AbortSignal) {
  const byClient = counts<Client>();
  const stops = new Set<() => void>();
  stopping.addEventListener('abort', () => {
    for (const stop of stops) stop();
  });

  return async <T>(
    request: FastifyRequest,
    seconds: number,
    execute: (seconds: number) => Promise<T>,
  ): Promise<T> => {
    const client = clientOf(request);
    const isFull = stops.size >= MOST || byClient.get(client) >= MOST_OF_ONE;
    if (seconds === 0 || isFull || stopping.aborted) return execute(0);
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    stops.add(stop);
    byClient.add(client, 1);
    request.state.release();
    request.state.deadline += seconds * 1000;
    // Nothing is sent meanwhile, and node closes connections without traffic.
    request.raw.setTimeout((request.raw.socket.timeout ?? 0) + seconds * 1000);
    try {
      return await Promise.race([execute(seconds), stopped.then(() => execute(0))]);
    } finally {
      stops.delete(stop);
      byClient.add(client, -1);
    }
  };
}
