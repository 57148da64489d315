import { describe, expect, it } from '@jest/globals';
import type { Bus } from '@joblisting/bus';
import type { Outgoing, OutboxStore } from '../store/outbox-store.ts';
import { relay } from './relay.ts';

const AT = new Date('2026-03-19T12:00:00Z');
const outgoing = (many: number): Outgoing[] =>
  Array.from({ length: many }, (_, index) => ({
    jobId: index + 1,
    companyId: 1,
    events: [{ key: `job:${index + 1}:2`, version: 2, statusId: 1, at: AT, recordedAt: AT }],
  }));

/** An outbox of one chunk, and a stream that takes what `isTaken` says. */
function setUp(many: number, isTaken: (key: string) => boolean) {
  const tried: string[] = [];
  const cleared: number[] = [];
  let waiting = 0;
  let mostWaiting = 0;
  const outbox: OutboxStore = {
    waiting: async function* () {
      const clear = async (published: readonly Outgoing[]) =>
        void cleared.push(...published.map(({ jobId }) => jobId));
      yield { outgoing: outgoing(many), clear };
    },
    waitingSince: async () => undefined,
  };
  const publishEvent: Bus['publishEvent'] = async (_event, _payload, key) => {
    tried.push(key);
    mostWaiting = Math.max(mostWaiting, ++waiting);
    await new Promise(setImmediate);
    waiting--;
    if (!isTaken(key)) throw new Error('the stream is full');
    return { duplicate: false };
  };
  const none: OutboxStore = { ...outbox, waiting: async function* () {} };
  const { jobs: run } = relay({
    outboxes: { settlements: none, jobs: outbox, tombstones: none },
    bus: { publishEvent } as Bus,
    makeWay: async () => undefined,
    stopping: new AbortController().signal,
  });
  return { run, tried, cleared, mostWaiting: () => mostWaiting };
}

describe('the relay', () => {
  it('publishes all of a large chunk, a part of it at a time', async () => {
    const { run, tried, cleared, mostWaiting } = setUp(1000, () => true);
    await run();
    expect(tried).toHaveLength(1000);
    expect(cleared).toHaveLength(1000);
    expect(mostWaiting()).toBeLessThanOrEqual(150);
  });

  it('begins no more where some are refused, and takes out just those that are published', async () => {
    const { run, tried, cleared } = setUp(1000, (key) => key !== 'job:7:2');
    await expect(run()).rejects.toThrow('full');
    expect(tried.length).toBeLessThanOrEqual(200);
    expect(cleared).toEqual(
      Array.from({ length: tried.length }, (_, index) => index + 1).filter((id) => id !== 7),
    );
  });
});
