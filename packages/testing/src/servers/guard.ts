import { spawn } from 'node:child_process';

/**
 * Ends a server when this process ends, however it ends: a shell waits on a pipe that only this process holds,
 * so it notices even a `kill -9`. Closing the guard ends the server at once.
 */
export function guard(pid: number): { close: () => void } {
  if (process.platform === 'win32') return { close: () => process.kill(pid) };
  const shell = spawn('/bin/sh', ['-c', `read -r _; kill -CONT ${pid}; kill -KILL ${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.unref();
  const pipe = shell.stdin as typeof shell.stdin & { unref?: () => void };
  pipe.unref?.();
  return { close: () => shell.stdin.end() };
}
