import { cpuMicrosOf, residentMegabytes } from '../kernel/process-figures.ts';
import type { Inspected } from '../profile/inspector.ts';
import { sum } from '../statistics.ts';

/** Processes whose costs are told together, such as the replicas of one service. */
export interface Group {
  readonly name: string;
  readonly pids: () => readonly number[];
  /** Those of them that can be profiled. */
  readonly inspected?: () => readonly Inspected[];
}

export type ByGroup = Readonly<Record<string, number>>;

const each = (groups: readonly Group[], figure: (pid: number) => number): ByGroup =>
  Object.fromEntries(groups.map(({ name, pids }) => [name, sum(pids().map(figure))]));

/** CPU time that each group has used so far, in microseconds. */
export const cpuSoFar = (groups: readonly Group[]): ByGroup => each(groups, cpuMicrosOf);

/** Resident memory of each group, in MB. */
export const memoryNow = (groups: readonly Group[]): ByGroup => each(groups, residentMegabytes);

/** What each group used between two looks, divided by `by`. */
export const used = (before: ByGroup, after: ByGroup, by = 1): ByGroup =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, (value - (before[name] ?? 0)) / by]),
  );
