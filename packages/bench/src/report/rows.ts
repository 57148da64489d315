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

/** A row for each arm, its ratios to the first arm of its scenario. */
export const armRows = (results: readonly Result[]): string[][] =>
  results.flatMap(({ scenario, arms }) =>
    arms.map((arm) => [
      scenario,
      arm.wrong === 0 ? arm.arm : `${arm.arm} (${arm.wrong} wrong answers)`,
      String(arm.connections),
      shown(arm.perSecond),
      shown(arm.p50),
      shown(arm.p99),
      shown(arm.services),
      shown(ratio(arm.services, arms[0]?.services ?? 0)),
      shown(arm.mongod),
      shown(ratio(arm.mongod, arms[0]?.mongod ?? 0)),
      shown(arm.nats),
      shown(arm.load),
      parts(arm),
    ]),
  );

export const goalHeader = ['', 'Scenario', 'Goal', 'Measured', 'Limit'] as const;

const sign = ({ isAtLeast }: Goal): string => (isAtLeast ? '≥' : '≤');

export const goalRows = (results: readonly Result[]): string[][] =>
  results.flatMap(({ scenario, goals }) =>
    goals.map((goal) => [
      isMet(goal) ? 'met' : 'NOT MET',
      scenario,
      goal.what,
      `${shown(goal.measured)} ${goal.unit}`,
      `${sign(goal)} ${shown(goal.limit)} ${goal.unit}`,
    ]),
  );

export const noteHeader = ['Scenario', 'Figure', 'Measured'] as const;

export const noteRows = (results: readonly Result[]): string[][] =>
  results.flatMap(({ scenario, notes }) =>
    notes.map(({ what, measured, unit }) => [scenario, what, `${shown(measured)} ${unit}`]),
  );
