import type { ArmFigures } from '../measure/figures.ts';
import { type Goal, isMet, ratio } from '../measure/goals.ts';
import type { Result } from '../measure/result.ts';
import { shown } from './table.ts';

export const armHeader = [
  'Scenario',
  'Arm',
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

/** Below this a process has no part in it. */
const LEAST_SHOWN_MICROS = 2;

const parts = ({ each, memory }: ArmFigures): string =>
  Object.entries(each)
    .filter(([, micros]) => micros >= LEAST_SHOWN_MICROS)
    .map(([name, micros]) => `${name} ${shown(micros)}, ${(memory[name] ?? 0).toFixed(0)}`)
    .join('; ');

const referenceOf = (arm: ArmFigures, arms: readonly ArmFigures[]): ArmFigures =>
  arms.find(({ arm: name }) => name === arm.reference) ?? (arms[0] as ArmFigures);

function armRow(scenario: string, arm: ArmFigures, reference: ArmFigures): string[] {
  return [
    scenario,
    arm.wrong === 0 ? arm.arm : `${arm.arm} (${arm.wrong} wrong answers)`,
    String(arm.connections),
    shown(arm.perSecond),
    shown(arm.p50),
    shown(arm.p99),
    shown(arm.services),
    shown(ratio(arm.services, reference.services)),
    shown(arm.mongod),
    // Where the reference has no part in it, a ratio would mean nothing.
    reference.mongod < LEAST_SHOWN_MICROS * 5 ? '' : shown(ratio(arm.mongod, reference.mongod)),
    shown(arm.nats),
    shown(arm.load),
    parts(arm),
  ];
}

/** A row for each arm. */
export const armRows = (results: readonly Result[]): string[][] =>
  results.flatMap(({ scenario, arms }) => arms.map((arm) => armRow(scenario, arm, referenceOf(arm, arms))));

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
