import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { background } from './background.ts';
import { createLog } from './log.ts';

const log = createLog('test', 'silent');
const NEVER_MS = 3_600_000;

/** A task whose runs the test ends by hand. */
function heldTask() {
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

  it('runs again later, or at a nudge, where there was nothing to do', async () => {
    const outcomes = ['idle', undefined, 'idle'] as const;
    let runs = 0;
    const running = background('test', 1, async () => outcomes[runs++], log, { idleMs: NEVER_MS });
    await waitFor(() => runs === 1, { what: 'the first run' });
    running.nudge();
    await waitFor(() => runs === 3, { what: 'the run at the nudge, and the one after it' });
    await running.stop();
    expect(runs).toBe(3);
  });

  it('runs at a nudge, once more for any number of nudges during a run, never twice at once', async () => {
    const { runs, task, isRun } = heldTask();
    const running = background('test', NEVER_MS, task, log);
    await isRun(1);
    for (let nudge = 0; nudge < 5; nudge++) running.nudge();
    expect(runs).toHaveLength(1);
    runs[0]?.resolve();
    await isRun(2);
    runs[1]?.resolve();
    await Promise.resolve();
    await waitFor(
      () => {
        running.nudge();
        return runs.length === 3;
      },
      { what: 'a run at a nudge after the end' },
    );
    runs[2]?.resolve();
    const stopped = running.stop();
    for (const run of runs) run.resolve();
    await stopped;
  });

  it('gathers nudges after a run for as long as it is to rest', async () => {
    let runs = 0;
    const task = () => Promise.resolve(void runs++);
    const running = background('test', NEVER_MS, task, log, { restMs: 5 });
    await waitFor(() => runs === 1, { what: 'the first run' });
    for (let nudge = 0; nudge < 5; nudge++) {
      await Promise.resolve();
      running.nudge();
    }
    expect(runs).toBe(1);
    await waitFor(() => runs === 2, { what: 'one run for all nudges' });
    await running.stop();
    expect(runs).toBe(2);
  });

  it('does before its end what was nudged in a rest, and does not wait for the end of that', async () => {
    let runs = 0;
    const task = () => Promise.resolve(void runs++);
    const running = background('test', NEVER_MS, task, log, { restMs: NEVER_MS });
    await waitFor(() => runs === 1, { what: 'the first run' });
    await Promise.resolve();
    running.nudge();
    await running.stop();
    expect(runs).toBe(2);
  });

  it('goes on after a failure', async () => {
    let runs = 0;
    const failing = () => (runs++ === 0 ? Promise.reject(new Error('away')) : Promise.resolve());
    const task = background('test', 1, failing, log);
    await waitFor(() => runs >= 2, { what: 'another run' });
    await task.stop();
  });

  it('stops when the run under way is over, and runs no more', async () => {
    const { runs, task, isRun } = heldTask();
    const running = background('test', 1, task, log);
    await isRun(1);
    running.nudge();
    const order: string[] = [];
    const stopped = running.stop().then(() => order.push('stopped'));
    order.push('ended');
    runs[0]?.resolve();
    await stopped;
    running.nudge();
    expect(order).toEqual(['ended', 'stopped']);
    expect(runs).toHaveLength(1);
  });
});
