import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

const LIMIT_MS = 1000;

/**
 * Sends SIGSTOP and returns when no thread of the process runs: on a busy machine a thread may go on answering for a
 * while. Returns at once on systems without /proc.
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

/** The state comes after the name, which may contain spaces (proc_pid_stat(5)). */
const isStopped = (stat: string): boolean => stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');

/** `kill -9`, if the process runs. Resolves when it has ended. */
export async function killNow(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
