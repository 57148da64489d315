import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { giveWay } from './give-way.ts';

/**
 * Ends a server when this process ends, however it ends: a shell waits on a pipe that only this process holds,
 * so it notices even a `kill -9`. Closing the guard ends the server at once.
 */
export function guard(pid: number): { close: () => void } {
  if (process.platform === 'win32') return { close: () => process.kill(pid) };
  return atTheEnd(`kill -CONT ${pid}; kill -KILL ${pid}`);
}

/** The same for MongoDB and NATS. They run as nicely as services that own data. */
export function guardServer(pid: number): { close: () => void } {
  giveWay(pid);
  return guard(pid);
}

/** The same for a container, from before it is started: it gets these labels. */
export function guardContainer(): { labels: Record<string, string>; close: () => void } {
  const [label, id] = ['job-listing.test', randomBytes(8).toString('hex')];
  const remove = `docker ps -aq --filter label=${label}=${id} | xargs docker rm -fv`;
  const { close } = process.platform === 'win32' ? { close: () => {} } : atTheEnd(remove);
  return { labels: { [label]: id }, close };
}

function atTheEnd(command: string): { close: () => void } {
  const shell = spawn('/bin/sh', ['-c', `read -r _; ${command}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.unref();
  const pipe = shell.stdin as typeof shell.stdin & { unref?: () => void };
  pipe.unref?.();
  return { close: () => shell.stdin.end() };
}
