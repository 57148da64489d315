import { describe, expect, it } from '@jest/globals';
import { atLeast, atMost, type Figure, none, note } from './figures.ts';
import { countPromises, durations, markdownTable, table } from './report.ts';

const full = { scale: 'full' } as const;
const ci = { scale: 'ci' } as const;
const result = (...figures: Figure[]) => [{ experiment: 'kills', seconds: 1.5, figures }];

describe('figures', () => {
  it.each([
    ['no violations', none('Lost', [], '10'), 1, 0],
    ['a violation', none('Lost', ['job 1'], '10'), 0, 1],
    ['within the limit', atMost(full, 'Slowest', 5, 10, 'ms'), 1, 0],
    ['above the limit', atMost(full, 'Slowest', 15, 10, 'ms'), 0, 1],
    ['above the limit at ci scale', atMost(ci, 'Slowest', 15, 10, 'ms'), 0, 0],
    ['the minimum', atLeast('Reads', 3, 3), 1, 0],
    ['less than the minimum', atLeast('Reads', 2, 3), 0, 1],
    ['a note', note('Kills', '3'), 0, 0],
  ])('%s', (_what, figure, passed, failed) => {
    expect(countPromises(result(figure, note('Kills', '3')))).toEqual({ passed, failed });
  });
});

describe('table', () => {
  const results = result(none('Lost', ['job 1|2'], '10'), none('Twice', [], '10'), note('Kills', '3'));

  it('aligns the figures, one per line', () => {
    expect(table(results).split('\n')).toEqual([
      '       Experiment  Promise  Measured          Target',
      'SHORT  kills       Lost     1 of 10: job 1|2  0',
      'ok     kills       Twice    0 of 10           0',
      '       kills       Kills    3',
    ]);
  });

  it('can be Markdown', () => {
    expect(markdownTable(results).split('\n')).toEqual([
      '|  | Experiment | Promise | Measured | Target |',
      '| --- | --- | --- | --- | --- |',
      String.raw`| SHORT | kills | Lost | 1 of 10: job 1\|2 | 0 |`,
      '| ok | kills | Twice | 0 of 10 | 0 |',
      '|  | kills | Kills | 3 |  |',
    ]);
  });

  it('comes with the seconds of each experiment', () => {
    expect(durations([...results, ...results])).toBe('kills 1.5, kills 1.5');
  });
});
