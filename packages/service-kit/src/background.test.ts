import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { background } from './background.ts';
import { createLog } from './log.ts';

const log = createLog('test', 'silent');
const NEVER_MS = 3_600_000;

/** A task whose runs the test ends itself. */
function manualTask() {
  const runs: PromiseWithResolvers<void>[] = [];
  const task = () => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  };
  return {
    runs,
    task,
    isRun: (count: number) => waitFor(() => runs.length === count, { what: `run ${count}` }),
  };
}

describe('background', () => {
  it('runs at once and again after each end', async () => {
    let runs = 0;
    const task = background('test', 1, () => Promise.resolve(void runs++), log);
    await waitFor(() => runs >= 3, { what: 'three runs' });
    await task.stop();
  });

  it('runs again later, or at a trigger, after an idle run', async () => {
    const outcomes = ['idle', undefined, 'idle'] as const;
    let runs = 0;
    const running = background('test', 1, async () => outcomes[runs++], log, { idleMs: NEVER_MS });
    await waitFor(() => runs === 1, { what: 'the first run' });
    running.trigger();
    await waitFor(() => runs === 3, { what: 'the run at the trigger, and the one after it' });
    await running.stop();
    expect(runs).toBe(3);
  });

  it('runs at a trigger, once more for any number of triggers during a run, never twice at once', async () => {
    const { runs, task, isRun } = manualTask();
    const running = background('test', NEVER_MS, task, log);
    await isRun(1);
    for (let trigger = 0; trigger < 5; trigger++) running.trigger();
    expect(runs).toHaveLength(1);
    runs[0]?.resolve();
    await isRun(2);
    runs[1]?.resolve();
    await Promise.resolve();
    await waitFor(
      () => {
        running.trigger();
        return runs.length === 3;
      },
      { what: 'a run at a trigger after the end' },
    );
    runs[2]?.resolve();
    const stopped = running.stop();
    for (const run of runs) run.resolve();
    await stopped;
  });

  it('joins the triggers during the rest after a run into one run', async () => {
    let runs = 0;
    const task = () => Promise.resolve(void runs++);
    const running = background('test', NEVER_MS, task, log, { restMs: 5 });
    await waitFor(() => runs === 1, { what: 'the first run' });
    for (let trigger = 0; trigger < 5; trigger++) {
      await Promise.resolve();
      running.trigger();
    }
    expect(runs).toBe(1);
    await waitFor(() => runs === 2, { what: 'one run for all triggers' });
    await running.stop();
    expect(runs).toBe(2);
  });

  it('when stopped, runs what was triggered during a rest, without waiting for the end of the rest', async () => {
    let runs = 0;
    const task = () => Promise.resolve(void runs++);
    const running = background('test', NEVER_MS, task, log, { restMs: NEVER_MS });
    await waitFor(() => runs === 1, { what: 'the first run' });
    await Promise.resolve();
    running.trigger();
    await running.stop();
    expect(runs).toBe(2);
  });

  it('continues after a failure', async () => {
    let runs = 0;
    const failing = () => (runs++ === 0 ? Promise.reject(new Error('away')) : Promise.resolve());
    const task = background('test', 1, failing, log);
    await waitFor(() => runs >= 2, { what: 'another run' });
    await task.stop();
  });

  it('stops when the current run is over, and runs no more', async () => {
    const { runs, task, isRun } = manualTask();
    const running = background('test', 1, task, log);
    await isRun(1);
    running.trigger();
    const order: string[] = [];
    const stopped = running.stop().then(() => order.push('stopped'));
    order.push('ended');
    runs[0]?.resolve();
    await stopped;
    running.trigger();
    expect(order).toEqual(['ended', 'stopped']);
    expect(runs).toHaveLength(1);
  });
});
