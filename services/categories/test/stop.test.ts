import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { whileLocked } from './faults.ts';
import { client, type Running, runCategories } from './running-categories.ts';

const BATCHES = 4;
const DUE = BATCHES * 1000;

let running: Running;
let api: ReturnType<typeof client>;
beforeAll(async () => {
  running = await runCategories({ SWEEP_EVERY_MS: '3600000', MAX_IN_FLIGHT: '300' });
  api = client(running);
});
afterAll(() => running.stop());

describe('stopping the service', () => {
  it('ends a sweep after the current batch', async () => {
    const { id } = await api.create();
    await api.leaveReferences(
      id,
      Array.from({ length: DUE }, (_, index) => index),
    );
    const reached = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    running.jobs.before = async () => {
      reached.resolve();
      await answer.promise;
    };
    const replica = await running.addReplica();
    await reached.promise;
    const stopped = replica.stop();
    answer.resolve();
    await stopped;
    running.jobs.before = undefined;
    expect(await api.references(id)).toEqual({ counted: DUE - 1000, written: DUE - 1000 });
  });

  it('answers every acquisition that waits for a lock', async () => {
    const { id } = await api.create();
    const replica = await running.addReplica();
    const all = await whileLocked(running.mongo, id, async () => {
      const acquired = Array.from({ length: 250 }, (_, job) => api.acquire(job, [{ id }]));
      await running.bus.flush();
      return { acquired, stopped: replica.stop() };
    });
    await all.stopped;
    await Promise.all(all.acquired);
    expect(await api.references(id)).toEqual({ counted: 250, written: 250 });
  });
});
