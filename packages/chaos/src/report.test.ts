import { describe, expect, it } from '@jest/globals';
import { atMost, type Figure, none, note, type Run } from './experiment.ts';
import { isKept, table } from './report.ts';

const run = (scale: Run['scale']): Run => ({ scale, seed: 1, soakMinutes: 1, say: () => undefined });
const result = (...figures: Figure[]) => [{ experiment: 'kills', seconds: 1, figures }];

describe('figures', () => {
  it.each([
    ['nothing found', none('Lost', [], '10'), true],
    ['something found', none('Lost', ['job 1'], '10'), false],
    ['in time', atMost(run('full'), 'Slowest', 5, 10, 'ms'), true],
    ['late', atMost(run('full'), 'Slowest', 15, 10, 'ms'), false],
    ['late on a small scale, where times have no weight', atMost(run('ci'), 'Slowest', 15, 10, 'ms'), true],
    ['a note', note('Kills', '3'), true],
  ])('%s', (_what, figure, ok) => {
    expect(figure.ok).toBe(ok);
    expect(isKept(result(figure, note('Kills', '3')))).toBe(ok);
  });
});

describe('table', () => {
  it('has a line for each figure, aligned', () => {
    const lines = table(result(none('Lost', ['job 1'], '10'), note('Kills', '3'))).split('\n');
    expect(lines).toEqual([
      '       Experiment  Promise  Measured        Target',
      'SHORT  kills       Lost     1 of 10: job 1  0',
      'ok     kills       Kills    3',
    ]);
  });
});
