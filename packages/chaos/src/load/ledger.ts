import { setTimeout as delay } from 'node:timers/promises';
import { connectBus } from '@joblisting/bus';
import { jobClosed, jobCreated, jobPublished } from '@joblisting/contracts';
import type { Shared } from '../system/servers.ts';

/** An event that must come once: what it says of which job, and the instant from which on it may come. */
export interface Expected {
  readonly jobId: number;
  readonly version: number;
  readonly statusId: number;
  /** In milliseconds since the epoch, by the services' clock. */
  readonly at: number;
}

/** An event that has come. */
export interface Told extends Expected {
  /** By the machine's own clock. */
  readonly arrivedAt: number;
}

/** Longer than another replica waits to publish what one that was killed has left. */
const CALM_MS = 8000;
const PUBLISHED = 1;
const CLOSED = 2;

const keyOf = ({ jobId, version, statusId }: Expected): string => `${jobId} ${version} ${statusId}`;

/** Follows, from their beginning, the events of jobs that became Published or Closed, or were created so. */
export async function followEvents({ nats }: Shared, durable: string) {
  const bus = await connectBus({ url: nats.url, name: 'audit' });
  const told: Told[] = [];
  const following = [jobCreated, jobPublished, jobClosed].map((event) =>
    bus.consume(event, {
      durable: `${durable}-${event.subject.split('.').at(-1)}`,
      batch: 500,
      handle: async (payloads) => {
        const arrivedAt = Date.now();
        for (const { jobId, version, statusId, at } of payloads)
          if (statusId === PUBLISHED || statusId === CLOSED)
            told.push({ jobId, version, statusId, at: Date.parse(at), arrivedAt });
      },
      onError: () => undefined,
    }),
  );
  return {
    told,
    /** Waits until nothing more comes. */
    untilCalm: async (): Promise<readonly Told[]> => {
      for (let count = -1; count !== told.length; await delay(CALM_MS)) count = told.length;
      return told;
    },
    close: async (): Promise<void> => {
      await Promise.all(following.map((one) => one.stop()));
      await bus.close();
    },
  };
}

/** What is wrong with the events that have come. `offsetAt` tells how far the services' clock was moved then. */
export function compareEvents(
  expected: readonly Expected[],
  told: readonly Told[],
  offsetAt: (machineTime: number) => number,
) {
  const missing = new Map(expected.map((one) => [keyOf(one), one]));
  const seen = new Set<string>();
  const extra: string[] = [];
  const early: string[] = [];
  for (const event of told) {
    const key = keyOf(event);
    const wanted = missing.get(key);
    if (seen.has(key) || !wanted) extra.push(key);
    else if (event.at !== wanted.at) extra.push(`${key} at ${new Date(event.at).toISOString()}`);
    if (event.arrivedAt + offsetAt(event.arrivedAt) < event.at) early.push(key);
    seen.add(key);
    missing.delete(key);
  }
  return { missing: [...missing.keys()], extra, early };
}
