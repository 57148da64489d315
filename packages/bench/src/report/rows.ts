import type { VariantFigures } from '../measure/figures.ts';
import { type Goal, isMet, ratio } from '../measure/goals.ts';
import type { Result } from '../measure/result.ts';
import { shown } from './table.ts';

export const variantHeader = [
  'Scenario',
  'Variant',
  'Connections',
  'Requests/s',
  'p50 ms',
  'p99 ms',
  'Services µs',
  '×',
  'mongod µs',
  '×',
  'NATS µs',
  'Load µs',
  'Of it: µs, MB',
] as const;

/** Processes with less CPU are left out: they take no part in the request. */
const MIN_SHOWN_MICROS = 2;

const parts = ({ each, memory }: VariantFigures): string =>
  Object.entries(each)
    .filter(([, micros]) => micros >= MIN_SHOWN_MICROS)
    .map(([name, micros]) => `${name} ${shown(micros)}, ${(memory[name] ?? 0).toFixed(0)}`)
    .join('; ');

const referenceOf = (variant: VariantFigures, variants: readonly VariantFigures[]): VariantFigures =>
  variants.find(({ variant: name }) => name === variant.reference) ?? (variants[0] as VariantFigures);

function variantRow(scenario: string, variant: VariantFigures, reference: VariantFigures): string[] {
  return [
    scenario,
    variant.wrong === 0 ? variant.variant : `${variant.variant} (${variant.wrong} wrong answers)`,
    String(variant.connections),
    shown(variant.perSecond),
    shown(variant.p50),
    shown(variant.p99),
    shown(variant.services),
    shown(ratio(variant.services, reference.services)),
    shown(variant.mongod),
    // A ratio to almost nothing has no meaning.
    reference.mongod < MIN_SHOWN_MICROS * 5 ? '' : shown(ratio(variant.mongod, reference.mongod)),
    shown(variant.nats),
    shown(variant.load),
    parts(variant),
  ];
}

export const variantRows = (results: readonly Result[]): string[][] =>
  results.flatMap(({ scenario, variants }) =>
    variants.map((variant) => variantRow(scenario, variant, referenceOf(variant, variants))),
  );

export const goalHeader = ['', 'Scenario', 'Goal', 'Measured', 'Limit'] as const;

const sign = ({ isAtLeast }: Goal): string => (isAtLeast ? '≥' : '≤');

export const goalRows = (results: readonly Result[]): string[][] =>
  results.flatMap(({ scenario, goals }) =>
    goals.map((goal) => [
      isMet(goal) ? 'met' : 'NOT MET',
      scenario,
      goal.what,
      `${shown(goal.measured)} ${goal.unit}`.trimEnd(),
      `${sign(goal)} ${shown(goal.limit)} ${goal.unit}`.trimEnd(),
    ]),
  );

export const noteHeader = ['Scenario', 'Figure', 'Measured'] as const;

export const noteRows = (results: readonly Result[]): string[][] =>
  results.flatMap(({ scenario, notes }) =>
    notes.map(({ what, measured, unit }) => [scenario, what, `${shown(measured)} ${unit}`.trimEnd()]),
  );
