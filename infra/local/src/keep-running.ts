import type { DataLock } from './lock.ts';
import { type Program, supervise, type Supervised } from './processes/supervise.ts';
import type { Address, RunEntry, RunFile } from './run-file.ts';

/** What every supervised process has in common. */
export type Keeping = {
  readonly lock: DataLock;
  readonly runFile: RunFile;
  /** Takes a line for the person who watches. */
  readonly show: (line: string) => void;
};

/** Supervises a program, and notes each of its processes for scripts and for the next start. */
export function keepRunning(
  { runFile, lock, show }: Keeping,
  program: Program,
  address: Address,
  signal: AbortSignal,
): Promise<Supervised> {
  const onLaunch = (pid: number): void => {
    const entry: RunEntry = { pid, ...address };
    runFile.set(program.name, entry);
    lock.note(runFile.pids());
  };
  return supervise(program, { onLaunch, report: show, signal });
}
