import { sum } from '@joblisting/testing';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessStat {
  readonly name: string;
  readonly parent: number;
  /** User and system time of all its threads, including ended ones. */
  readonly cpuMicros: number;
}

/**
 * Reads a line of `/proc/<pid>/stat` (proc_pid_stat(5)). The name is in brackets and may hold brackets and spaces.
 * @param ticksPerSecond the unit of the kernel's times
 */
export function parseStat(line: string, ticksPerSecond: number): ProcessStat {
  const nameEnd = line.lastIndexOf(')');
  const fields = line.slice(nameEnd + 2).split(' ');
  // `fields` begins with the third field of the line, `state`.
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    name: line.slice(line.indexOf('(') + 1, nameEnd),
    parent: field(4),
    cpuMicros: ((field(14) + field(15)) / ticksPerSecond) * 1e6,
  };
}

/** Reads a line `<name>: <number> kB`, as in `/proc/<pid>/status` and `smaps_rollup`, in MB of 2^20 bytes. */
export function parseMegabytes(text: string, name: string): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
  return Number(kilobytes ?? 0) / 1024;
}

let ticks: number | undefined;
const ticksPerSecond = (): number =>
  (ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })));

const statOf = (pid: number): ProcessStat =>
  parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'), ticksPerSecond());

const cpuMicrosOf = (pid: number): number => statOf(pid).cpuMicros;

/** Resident memory, shared pages counted in full. */
export const residentMegabytes = (pid: number): number =>
  parseMegabytes(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS');

/** Resident memory, each shared page divided by how many share it. */
export const proportionalMegabytes = (pid: number): number =>
  parseMegabytes(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss');

function everyProcess(): Map<number, ProcessStat> {
  const all = new Map<number, ProcessStat>();
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      all.set(Number(entry), statOf(Number(entry)));
    } catch {
      // The process has ended.
    }
  }
  return all;
}

/** The processes that this one started, by the name of their program. */
export const childrenByName = (): ReadonlyMap<string, number> =>
  new Map(
    [...everyProcess()]
      .filter(([, { parent }]) => parent === process.pid)
      .map(([pid, { name }]) => [name, pid]),
  );

/** The processes that descend from this one. */
export function descendantsOf(ancestor: number): number[] {
  const processes = everyProcess();
  const descendants = [ancestor];
  // The array grows during the loop.
  for (const parent of descendants) {
    for (const [pid, stat] of processes) if (stat.parent === parent) descendants.push(pid);
  }
  return descendants.slice(1);
}

/** Processes that are reported together, such as the replicas of one service. */
export interface Group {
  readonly name: string;
  readonly pids: () => readonly number[];
}

export type ByGroup = Readonly<Record<string, number>>;

const each = (groups: readonly Group[], figure: (pid: number) => number): ByGroup =>
  Object.fromEntries(groups.map(({ name, pids }) => [name, sum(pids().map(figure))]));

/** CPU time that each group has used so far, in microseconds. */
export const cpuSoFar = (groups: readonly Group[]): ByGroup => each(groups, cpuMicrosOf);

/** Resident memory of each group, in MB. */
export const memoryNow = (groups: readonly Group[]): ByGroup => each(groups, residentMegabytes);

/** The difference of two readings, divided by `by`. */
export const used = (before: ByGroup, after: ByGroup, by = 1): ByGroup =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, (value - (before[name] ?? 0)) / by]),
  );
