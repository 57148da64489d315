import { setTimeout as delay } from 'node:timers/promises';
import { connectBus } from '@joblisting/bus';
import { jobClosed, jobCreated, jobPublished, status } from '@joblisting/contracts';
import type { Shared } from '../system/servers.ts';

/** An event that must be published exactly once. */
export interface Expected {
  readonly jobId: number;
  readonly version: number;
  readonly statusId: number;
  /** The earliest time for it, in epoch milliseconds by the services' clock. */
  readonly at: number;
}

export interface ReceivedEvent extends Expected {
  /** By the machine's clock. */
  readonly arrivedAt: number;
}

/** Longer than a replica takes to take over the relay of a killed one. */
const QUIET_MS = 8000;

const keyOf = ({ jobId, version, statusId }: Expected): string => `${jobId} ${version} ${statusId}`;

/** Collects the events of jobs that became Published or Closed, or were created so, from the start of the stream. */
export async function followEvents({ nats }: Shared, durable: string) {
  const bus = await connectBus({ url: nats.url, name: 'audit' });
  const received: ReceivedEvent[] = [];
  const following = [jobCreated, jobPublished, jobClosed].map((event) =>
    bus.consume(event, {
      durable: `${durable}-${event.subject.split('.').at(-1)}`,
      batch: 500,
      handle: async (payloads) => {
        const arrivedAt = Date.now();
        for (const { jobId, version, statusId, at } of payloads)
          if (statusId === status.published || statusId === status.closed)
            received.push({ jobId, version, statusId, at: Date.parse(at), arrivedAt });
      },
      onError: () => undefined,
    }),
  );
  return {
    received,
    /** Waits until no more events arrive. */
    untilQuiet: async (): Promise<readonly ReceivedEvent[]> => {
      for (let count = -1; count !== received.length; await delay(QUIET_MS)) count = received.length;
      return received;
    },
    close: async (): Promise<void> => {
      await Promise.all(following.map((one) => one.stop()));
      await bus.close();
    },
  };
}

/** Compares events. `offsetAt` is the offset of the services' clock at a time of the machine's clock. */
export function compareEvents(
  expected: readonly Expected[],
  received: readonly ReceivedEvent[],
  offsetAt: (machineTime: number) => number,
) {
  const missing = new Map(expected.map((one) => [keyOf(one), one]));
  const seen = new Set<string>();
  const extra: string[] = [];
  const early: string[] = [];
  for (const event of received) {
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
