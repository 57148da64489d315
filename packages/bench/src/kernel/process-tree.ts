import type { ProcessStat } from './process-figures.ts';

type Processes = ReadonlyMap<number, Pick<ProcessStat, 'name' | 'parent'>>;

/** The processes that came from this one, in any generation. */
export function descendantsOf(processes: Processes, ancestor: number): number[] {
  const found = [ancestor];
  // Grows while it is gone through: children are looked for behind each one found.
  for (const parent of found) {
    for (const [pid, process] of processes) if (process.parent === parent) found.push(pid);
  }
  return found.slice(1);
}
