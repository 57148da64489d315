import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../bootstrap/terminal.mjs';
import { readJson, writeJson } from './data-files.ts';

type KnownProcess = { readonly pid: number; readonly identity: string };
type Lock = KnownProcess & { readonly children: readonly KnownProcess[] };

/** Exclusive use of a data directory. */
export type DataLock = {
  /** Records the child processes, so that the next start can end them if this one is killed. */
  recordChildren: (pids: readonly number[]) => void;
  release: () => void;
};

const leftoverLimitMs = 5000;

/**
 * Locks the data directory and ends processes that an earlier start left running.
 * @throws Problem when another start uses it, or it is not writable.
 */
export async function lockData(dataDir: string): Promise<DataLock> {
  const file = join(dataDir, 'lock.json');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Problem(`DATA_DIR=${dataDir} cannot be used: ${(error as Error).message}.`);
  }
  await acquire(file, dataDir);
  const self = identify(process.pid);
  const write = (children: readonly KnownProcess[]): void => writeJson(file, { ...self, children });
  return {
    recordChildren: (pids) => write(pids.map(identify)),
    release: () => rmSync(file, { force: true }),
  };
}

async function acquire(file: string, dataDir: string): Promise<void> {
  try {
    writeFileSync(file, JSON.stringify({ ...identify(process.pid), children: [] }), {
      flag: 'wx',
      mode: 0o600,
    });
    return;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new Problem(`DATA_DIR=${dataDir} cannot be used: ${message}.`);
  }
  const lock = readJson<Lock>(file);
  if (lock?.pid !== undefined && isRunning({ pid: lock.pid, identity: lock.identity ?? '' })) {
    throw new Problem(
      `Another start already uses ${dataDir} (process ${lock.pid}): stop it, or set DATA_DIR.`,
    );
  }
  await Promise.all((lock?.children ?? []).map(endLeftover));
  rmSync(file, { force: true });
  await acquire(file, dataDir);
}

async function endLeftover(leftover: KnownProcess): Promise<void> {
  const limit = performance.now() + leftoverLimitMs;
  if (isRunning(leftover)) process.kill(leftover.pid, 'SIGTERM');
  while (isRunning(leftover)) {
    if (performance.now() > limit) process.kill(leftover.pid, 'SIGKILL');
    await delay(50);
  }
}

function identify(pid: number): KnownProcess {
  return { pid, identity: processIdentity(pid) ?? '' };
}

function isRunning({ pid, identity }: KnownProcess): boolean {
  return identity !== '' && processIdentity(pid) === identity;
}

/** The start time of a process, which distinguishes it from a later one with the same id. Undefined if none runs. */
export function processIdentity(pid: number): string | undefined {
  if (process.platform === 'win32') return isAlive(pid) ? 'alive' : undefined;
  try {
    if (process.platform === 'linux') {
      // Skip the name, which may hold spaces and parentheses. State is the third field, start time the 22nd.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return fields[0] === 'Z' ? undefined : fields[19];
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
