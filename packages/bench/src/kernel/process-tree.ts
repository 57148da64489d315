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

/** The processes above this one up to the first whose name fits, that one too; none where no name fits. */
export function upTo(processes: Processes, pid: number, name: RegExp): number[] {
  const above: number[] = [];
  for (let at = processes.get(pid)?.parent; at !== undefined; at = processes.get(at)?.parent) {
    const process = processes.get(at);
    if (process === undefined) break;
    above.push(at);
    if (name.test(process.name)) return above;
  }
  return [];
}
