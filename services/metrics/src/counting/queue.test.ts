import { describe, expect, it } from '@jest/globals';
import { type MetricsReceipt, ServiceError } from '@joblisting/contracts';
import type { Batch } from '../store/batch.ts';
import { countingQueue } from './queue.ts';

const limits = { waitingBatches: 4, waitingEvents: 10, eventsTogether: 5 };
const soon = () => Date.now() + 60_000;
const batchOf = (...ids: string[]): Batch => ({
  events: ids.map((id) => ({ id, jobId: 1, type: 'view' })),
});
const receiptOf = ({ events }: Batch): MetricsReceipt => ({
  accepted: events.length,
  duplicates: 0,
  rejected: [],
});

/** A queue whose counting stands still until it is let go on; `runs` is what was counted together, in order. */
function heldQueue() {
  const runs: { ids: string[][]; deadline: number }[] = [];
  const held = Promise.withResolvers<void>();
  const queue = countingQueue(async (batches, deadline) => {
    const ids = batches.map(({ events }) => events.map(({ id }) => id));
    runs.push({ ids, deadline });
    await held.promise;
    if (ids.flat().includes('poison')) throw new Error('poisoned');
    return batches.map((batch, index) =>
      ids[index]?.includes('taken') ? new ServiceError('idempotency_key_in_flight') : receiptOf(batch),
    );
  }, limits);
  return { queue, runs, goOn: () => held.resolve() };
}

describe('countingQueue', () => {
  it('counts what came meanwhile together, and gives each its own receipt', async () => {
    const { queue, runs, goOn } = heldQueue();
    const batches = [batchOf('a'), batchOf('b', 'c'), batchOf('d')];
    const receipts = batches.map((batch) => queue.submit(batch, soon()));
    goOn();
    expect(await Promise.all(receipts)).toEqual(batches.map(receiptOf));
    expect(runs.map(({ ids }) => ids)).toEqual([[['a']], [['b', 'c'], ['d']]]);
  });

  it('counts no more together than allowed, but a large batch alone', async () => {
    const { queue, runs, goOn } = heldQueue();
    const sizes = [1, 7, 1, 1];
    const receipts = sizes.map((size) =>
      queue.submit(batchOf(...Array.from('abcdefg').slice(0, size)), soon()),
    );
    goOn();
    await Promise.all(receipts);
    expect(runs.map(({ ids }) => ids.map((batch) => batch.length))).toEqual([[1], [7], [1, 1]]);
  });

  it.each([
    ['batches', ['a', 'b', 'c', 'd', 'e']],
    ['events', ['abcdef', 'ghijk']],
  ])('refuses at once when too many %s wait, and takes more once they are counted', async (_what, ids) => {
    const { queue, goOn } = heldQueue();
    const submit = (batch: string) => queue.submit(batchOf(...Array.from(batch)), soon());
    const counted = ['-', ...ids.slice(0, -1)].map(submit);
    await expect(submit(ids.at(-1) ?? '')).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterSeconds: 1,
    });
    goOn();
    await Promise.all(counted);
    await expect(submit(ids.at(-1) ?? '')).resolves.toMatchObject({ duplicates: 0 });
  });

  it('starts nothing for a batch past its deadline', async () => {
    const { queue, runs, goOn } = heldQueue();
    const outcomes = [
      queue.submit(batchOf('a'), soon()),
      queue.submit(batchOf('b'), Date.now()),
      queue.submit(batchOf('c'), soon()),
    ];
    goOn();
    expect(await Promise.allSettled(outcomes)).toMatchObject([
      { status: 'fulfilled' },
      { reason: { code: 'deadline_exceeded' } },
      { status: 'fulfilled' },
    ]);
    expect(runs.map(({ ids }) => ids)).toEqual([[['a']], [['c']]]);
  });

  it('works until the last deadline of those it counts together', async () => {
    const { queue, runs, goOn } = heldQueue();
    const deadline = soon();
    const after = (ms: number) => queue.submit(batchOf(`${ms}`), deadline + ms);
    const receipts = [after(0), after(5), after(3)];
    goOn();
    await Promise.all(receipts);
    expect(runs.map((run) => run.deadline)).toEqual([deadline, deadline + 5]);
  });

  it('refuses one of a run without the others', async () => {
    const { queue, goOn } = heldQueue();
    const outcomes = ['a', 'b', 'taken', 'c'].map((id) => queue.submit(batchOf(id), soon()));
    goOn();
    expect(await Promise.allSettled(outcomes)).toMatchObject([
      { status: 'fulfilled' },
      { status: 'fulfilled' },
      { reason: { code: 'idempotency_key_in_flight' } },
      { status: 'fulfilled' },
    ]);
  });

  it('tells all of a run that it failed, and goes on', async () => {
    const { queue, goOn } = heldQueue();
    const submit = (id: string) => queue.submit(batchOf(id), soon());
    const outcomes = ['poison', 'a', 'b'].map(submit);
    goOn();
    expect(await Promise.allSettled(outcomes)).toMatchObject([
      { reason: { message: 'poisoned' } },
      { status: 'fulfilled' },
      { status: 'fulfilled' },
    ]);
  });
});
