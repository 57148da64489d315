import { describe, expect, it } from '@jest/globals';
import type { ArmFigures } from '../measure/figures.ts';
import { atLeast, atMost } from '../measure/goals.ts';
import type { Result } from '../measure/result.ts';
import { costChart, goalChart } from './charts.ts';
import { armHeader, armRows, goalRows, noteRows } from './rows.ts';

const arm = (name: string, services: number, more: Partial<ArmFigures> = {}): ArmFigures => ({
  arm: name,
  reference: undefined,
  connections: 32,
  perSecond: 1234.5,
  p50: 3,
  p99: 9,
  services,
  mongod: 100,
  nats: 40,
  load: 20,
  each: { gateway: services - 1, metrics: 1 },
  memory: { gateway: 90.4, metrics: 70 },
  wrong: 0,
  ...more,
});
const results: Result[] = [
  {
    scenario: 'get-job',
    seconds: 3,
    arms: [
      arm('plain', 400),
      arm('product', 200, { mongod: 50 }),
      arm('other', 100, { reference: 'product', wrong: 2 }),
    ],
    goals: [atMost('CPU', 0.5, 0.6), atLeast('rate', 300, 400, '/s'), atMost('wrong', 0, 0, '')],
    notes: [{ what: 'jobs', measured: 200_000, unit: '' }],
  },
];
const cell = (row: number, header: (typeof armHeader)[number], from = 0): string | undefined =>
  armRows(results)[row]?.[armHeader.indexOf(header, from)];

describe('armRows', () => {
  it('tell ratios to the first arm, or to the one that an arm names', () => {
    expect([0, 1, 2].map((row) => cell(row, '×'))).toEqual(['1.00', '0.50', '0.50']);
    expect([0, 1, 2].map((row) => cell(row, '×', armHeader.indexOf('mongod µs')))).toEqual([
      '1.00',
      '0.50',
      '2.00',
    ]);
  });

  it('leave out what has no part in it, and say what went wrong', () => {
    expect(cell(0, 'Of it: µs, MB')).toBe('gateway 399, 90');
    expect(cell(2, 'Arm')).toBe('other (2 wrong answers)');
  });
});

describe('goalRows and noteRows', () => {
  it('say what is met', () => {
    expect(goalRows(results).map(([met, , , measured, limit]) => [met, measured, limit])).toEqual([
      ['met', '0.50 ×', '≤ 0.60 ×'],
      ['NOT MET', '300 /s', '≥ 400 /s'],
      ['met', '0.00', '≤ 0.00'],
    ]);
    expect(noteRows(results)).toEqual([['get-job', 'jobs', '200,000']]);
  });
});

describe('the charts', () => {
  it('draw each arm, and each goal that has a limit', () => {
    expect(costChart(results)).toContain('get-job: product');
    const goals = goalChart(results);
    expect(goals).toContain('>0.83 <');
    expect(goals).toContain('>1.33 <');
    expect(goals).not.toContain('get-job: wrong');
  });
});
