import { describe, expect, it } from '@jest/globals';
import { type MetricsReceipt, ServiceError } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { countingQueue } from './counting-queue.ts';
import type { Batch } from './store/ledger.ts';

const limits = { waitingBatches: 4, waitingEvents: 10, transactionEvents: 5 };
const soon = () => Date.now() + 60_000;
const batchOf = (...ids: string[]): Batch => batchFrom('test', ids);
const batchFrom = (sender: string, ids: readonly string[]): Batch => ({
  sender,
  events: ids.map((id) => ({ id, jobId: 1, type: 'view' })),
});
const receiptOf = ({ events }: Batch): MetricsReceipt => ({
  accepted: events.length,
  duplicates: 0,
  rejected: [],
});

/** A queue that finishes no transaction before `goOn`; `runs` is what was counted together, in order. */
function pausedQueue() {
  const runs: { ids: string[][]; deadline: number }[] = [];
  const gate = Promise.withResolvers<void>();
  const queue = countingQueue(async (batches, deadline) => {
    const ids = batches.map(({ events }) => events.map(({ id }) => id));
    runs.push({ ids, deadline });
    await gate.promise;
    if (ids.flat().includes('poison')) throw new Error('poisoned');
    return batches.map((batch, index) =>
      ids[index]?.includes('answered') ? new ServiceError('idempotency_key_in_flight') : receiptOf(batch),
    );
  }, limits);
  /** Submits a batch and resolves once it is being counted. */
  const countFirst = async (id: string, deadline = soon()) => {
    const receipt = queue.submit(batchOf(id), deadline);
    receipt.catch(() => undefined);
    await waitFor(() => runs.length === 1, { what: 'the first transaction' });
    return { receipt };
  };
  return { queue, runs, countFirst, goOn: () => gate.resolve() };
}

describe('countingQueue', () => {
  it('counts together what arrives meanwhile, and gives each batch its own receipt', async () => {
    const { queue, runs, countFirst, goOn } = pausedQueue();
    const first = await countFirst('a');
    const batches = [batchOf('b', 'c'), batchOf('d')];
    const receipts = [first.receipt, ...batches.map((batch) => queue.submit(batch, soon()))];
    goOn();
    expect(await Promise.all(receipts)).toEqual([batchOf('a'), ...batches].map(receiptOf));
    expect(runs.map(({ ids }) => ids)).toEqual([[['a']], [['b', 'c'], ['d']]]);
  });

  it('counts no more events together than allowed, but a larger batch alone', async () => {
    const { queue, runs, goOn } = pausedQueue();
    const receipts = [1, 7, 1, 1].map((size) =>
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
    const { queue, goOn } = pausedQueue();
    const submit = (batch: string) => queue.submit(batchOf(...Array.from(batch)), soon());
    const counted = ids.slice(0, -1).map(submit);
    await expect(submit(ids.at(-1) ?? '')).rejects.toMatchObject({
      code: 'overloaded',
      reason: 'metrics_backlog',
      retryAfterSeconds: 1,
    });
    goOn();
    await Promise.all(counted);
    await expect(submit(ids.at(-1) ?? '')).resolves.toMatchObject({ duplicates: 0 });
    expect(queue.backlog()).toEqual({ batches: 0, events: 0 });
  });

  it('keeps as much room for other senders as one may use, and refuses more', async () => {
    const { queue, goOn } = pausedQueue();
    const submit = (sender: string, ids: string) => queue.submit(batchFrom(sender, Array.from(ids)), soon());
    const counted = [submit('one', 'abcdefghij')];
    await expect(submit('one', 'k')).rejects.toMatchObject({ reason: 'metrics_backlog' });
    counted.push(submit('two', 'abcde'), submit('three', 'abcde'));
    await expect(submit('four', 'a')).rejects.toMatchObject({ reason: 'metrics_backlog' });
    goOn();
    await Promise.all(counted);
    await expect(submit('one', 'k')).resolves.toMatchObject({ accepted: 1 });
  });

  it('counts until the first deadline of those it counts together', async () => {
    const { queue, runs, countFirst, goOn } = pausedQueue();
    const deadline = soon();
    const { receipt } = await countFirst('a', deadline);
    const receipts = [5, 3].map((ms) => queue.submit(batchOf(`${ms}`), deadline + ms));
    goOn();
    await Promise.all([receipt, ...receipts]);
    expect(runs.map((run) => run.deadline)).toEqual([deadline, deadline + 3]);
  });

  it('gives the receipts of one transaction before the next one ends', async () => {
    const next = Promise.withResolvers<void>();
    const queue = countingQueue(async (batches) => {
      if (batches[0]?.events[0]?.id === 'z') await next.promise;
      return batches.map(receiptOf);
    }, limits);
    const first = queue.submit(batchOf('a', 'b', 'c'), soon());
    const second = queue.submit(batchOf('z', 'y', 'x'), soon());
    expect(await first).toMatchObject({ accepted: 3 });
    expect(queue.backlog().batches).toBe(1);
    next.resolve();
    expect(await second).toMatchObject({ accepted: 3 });
  });

  it.each([
    ['past its deadline', 0],
    ['that has hardly any time left', 100],
  ])('starts nothing for a batch %s', async (_title, leftMs) => {
    const { queue, runs, goOn } = pausedQueue();
    const deadlines = [soon(), Date.now() + leftMs, soon()];
    const outcomes = ['a', 'b', 'c'].map((id, index) => queue.submit(batchOf(id), deadlines[index] ?? 0));
    goOn();
    expect(await Promise.allSettled(outcomes)).toMatchObject([
      { status: 'fulfilled' },
      { reason: { code: 'deadline_exceeded', reason: 'deadline' } },
      { status: 'fulfilled' },
    ]);
    expect(runs.map(({ ids }) => ids)).toEqual([[['a'], ['c']]]);
  });

  it('refuses one batch of a transaction without the others', async () => {
    const { queue, goOn } = pausedQueue();
    const outcomes = ['b', 'answered', 'c'].map((id) => queue.submit(batchOf(id), soon()));
    goOn();
    expect(await Promise.allSettled(outcomes)).toMatchObject([
      { status: 'fulfilled' },
      { reason: { code: 'idempotency_key_in_flight' } },
      { status: 'fulfilled' },
    ]);
  });

  it('fails all batches of a failed transaction, and goes on', async () => {
    const { queue, countFirst, goOn } = pausedQueue();
    const { receipt } = await countFirst('poison');
    const outcomes = [receipt, ...['a', 'b'].map((id) => queue.submit(batchOf(id), soon()))];
    goOn();
    expect(await Promise.allSettled(outcomes)).toMatchObject([
      { reason: { message: 'poisoned' } },
      { status: 'fulfilled' },
      { status: 'fulfilled' },
    ]);
  });
});
