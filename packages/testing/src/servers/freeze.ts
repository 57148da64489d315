import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const LIMIT_MS = 1000;

/**
 * Stops a process where it is (SIGSTOP) and comes back once none of its threads runs any more: a busy machine takes
 * its time, and until then one of them may still answer. At once where the system does not tell (no /proc).
 */
export function freeze(child: ChildProcess): void {
  child.kill('SIGSTOP');
  const limit = performance.now() + LIMIT_MS;
  while (performance.now() < limit && isRunning(child.pid));
}

function isRunning(pid: number | undefined): boolean {
  const tasks = `/proc/${pid}/task`;
  try {
    return readdirSync(tasks).some((task) => !isStopped(readFileSync(`${tasks}/${task}/stat`, 'latin1')));
  } catch {
    return false;
  }
}

/** The state stands behind the name, which may have spaces (proc_pid_stat(5)). */
const isStopped = (stat: string): boolean => stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
