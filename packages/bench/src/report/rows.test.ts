import { describe, expect, it } from '@jest/globals';
import type { VariantFigures } from '../measure/figures.ts';
import { atLeast, atMost } from '../measure/goals.ts';
import type { Result } from '../measure/result.ts';
import { variantHeader, variantRows, goalRows, noteRows } from './rows.ts';

const variant = (name: string, services: number, more: Partial<VariantFigures> = {}): VariantFigures => ({
  variant: name,
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
    variants: [
      variant('plain', 400),
      variant('product', 200, { mongod: 50 }),
      variant('other', 100, { reference: 'product', wrong: 2 }),
    ],
    goals: [atMost('CPU', 0.5, 0.6), atLeast('rate', 300, 400, '/s'), atMost('wrong', 0, 0, '')],
    notes: [{ what: 'jobs', measured: 200_000, unit: '' }],
  },
];
const cell = (row: number, header: (typeof variantHeader)[number], from = 0): string | undefined =>
  variantRows(results)[row]?.[variantHeader.indexOf(header, from)];

describe('variantRows', () => {
  it('have ratios to the first variant, or to the one that a variant names', () => {
    expect([0, 1, 2].map((row) => cell(row, '×'))).toEqual(['1.00', '0.50', '0.50']);
    expect([0, 1, 2].map((row) => cell(row, '×', variantHeader.indexOf('mongod µs')))).toEqual([
      '1.00',
      '0.50',
      '2.00',
    ]);
  });

  it('leave out idle processes, and count wrong answers', () => {
    expect(cell(0, 'Of it: µs, MB')).toBe('gateway 399, 90');
    expect(cell(2, 'Variant')).toBe('other (2 wrong answers)');
  });
});

describe('goalRows and noteRows', () => {
  it('mark goals as met or not, with their units', () => {
    expect(goalRows(results).map(([met, , , measured, limit]) => [met, measured, limit])).toEqual([
      ['met', '0.50 ×', '≤ 0.60 ×'],
      ['NOT MET', '300 /s', '≥ 400 /s'],
      ['met', '0.00', '≤ 0.00'],
    ]);
    expect(noteRows(results)).toEqual([['get-job', 'jobs', '200,000']]);
  });
});
