import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, getPriority, setPriority } from 'node:os';

/** Ends what it guards when it is closed, or when this process ends. */
interface Guard {
  readonly close: () => void;
}

/** Guards a process. Works after a `kill -9` too: a shell waits on a pipe that only this process has open. */
export function guard(pid: number): Guard {
  if (process.platform === 'win32') return { close: () => process.kill(pid) };
  return runAtEnd(`kill -CONT ${pid}; kill -KILL ${pid}`);
}

/** The nice(1) value of the services that own data. */
const SERVER_NICENESS = 10;

/** Guards MongoDB or NATS, at a low priority: in production they run on other machines. */
export function guardServer(pid: number): Guard {
  setPriority(pid, Math.min(getPriority() + SERVER_NICENESS, constants.priority.PRIORITY_LOW));
  return guard(pid);
}

/** Guards a container that is started with these labels. */
export function guardContainer(): Guard & { readonly labels: Record<string, string> } {
  const [label, id] = ['job-listing.test', randomBytes(8).toString('hex')];
  const remove = `docker ps -aq --filter label=${label}=${id} | xargs docker rm -fv`;
  const { close } = process.platform === 'win32' ? { close: () => {} } : runAtEnd(remove);
  return { labels: { [label]: id }, close };
}

function runAtEnd(command: string): Guard {
  const shell = spawn('/bin/sh', ['-c', `read -r _; ${command}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.unref();
  const pipe = shell.stdin as typeof shell.stdin & { unref?: () => void };
  pipe.unref?.();
  return { close: () => shell.stdin.end() };
}
