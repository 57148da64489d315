import { describe, expect, it } from '@jest/globals';
import { atLeast, atMost, type Figure, none, note } from './figures.ts';
import { countPromises, durations, markdownTable, table } from './report.ts';

const full = { scale: 'full' } as const;
const ci = { scale: 'ci' } as const;
const result = (...figures: Figure[]) => [{ experiment: 'kills', seconds: 1.5, figures }];

describe('figures', () => {
  it.each([
    ['nothing found', none('Lost', [], '10'), 1, 0],
    ['something found', none('Lost', ['job 1'], '10'), 0, 1],
    ['in time', atMost(full, 'Slowest', 5, 10, 'ms'), 1, 0],
    ['late', atMost(full, 'Slowest', 15, 10, 'ms'), 0, 1],
    ['late on a small scale, where times have no weight', atMost(ci, 'Slowest', 15, 10, 'ms'), 0, 0],
    ['seen often enough', atLeast('Reads', 3, 3), 1, 0],
    ['seen too seldom', atLeast('Reads', 2, 3), 0, 1],
    ['a note', note('Kills', '3'), 0, 0],
  ])('%s', (_what, figure, passed, failed) => {
    expect(countPromises(result(figure, note('Kills', '3')))).toEqual({ passed, failed });
  });
});

describe('table', () => {
  const results = result(none('Lost', ['job 1|2'], '10'), none('Twice', [], '10'), note('Kills', '3'));

  it('has a line for each figure, aligned', () => {
    expect(table(results).split('\n')).toEqual([
      '       Experiment  Promise  Measured          Target',
      'SHORT  kills       Lost     1 of 10: job 1|2  0',
      'ok     kills       Twice    0 of 10           0',
      '       kills       Kills    3',
    ]);
  });

  it('comes as Markdown, too', () => {
    expect(markdownTable(results).split('\n')).toEqual([
      '|  | Experiment | Promise | Measured | Target |',
      '| --- | --- | --- | --- | --- |',
      String.raw`| SHORT | kills | Lost | 1 of 10: job 1\|2 | 0 |`,
      '| ok | kills | Twice | 0 of 10 | 0 |',
      '|  | kills | Kills | 3 |  |',
    ]);
  });

  it('has how long each took beside it', () => {
    expect(durations([...results, ...results])).toBe('kills 1.5, kills 1.5');
  });
});
