import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../bootstrap/problem.mjs';
import { readJson, writeJson } from './json-file.ts';
import { processIdentity } from './processes/identity.ts';

type Known = { readonly pid: number; readonly identity: string };
type Lock = Known & { readonly children: readonly Known[] };

/** A data directory that this process alone works on. */
export type DataLock = {
  /** Notes the processes that work on it, for the next start to find if this one is killed. */
  note: (pids: readonly number[]) => void;
  release: () => void;
};

/** How long a leftover gets to end by itself, in milliseconds. */
const leftoverLimitMs = 5000;

/**
 * Takes the data directory, and ends what an earlier start left running on it.
 * @throws Problem when another start works on it, or it cannot be used.
 */
export async function lockData(dataDir: string): Promise<DataLock> {
  const file = join(dataDir, 'lock.json');
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new Problem(`DATA_DIR=${dataDir} cannot be used: ${(error as Error).message}.`);
  }
  await takeOver(file, dataDir);
  const own = known(process.pid);
  const write = (children: readonly Known[]): void => writeJson(file, { ...own, children });
  return {
    note: (pids) => write(pids.map(known)),
    release: () => rmSync(file, { force: true }),
  };
}

async function takeOver(file: string, dataDir: string): Promise<void> {
  try {
    writeFileSync(file, JSON.stringify({ ...known(process.pid), children: [] }), { flag: 'wx', mode: 0o600 });
    return;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new Problem(`DATA_DIR=${dataDir} cannot be used: ${message}.`);
  }
  const lock = readJson<Lock>(file);
  if (lock?.pid !== undefined && isStill({ pid: lock.pid, identity: lock.identity ?? '' })) {
    throw new Problem(`It already runs on ${dataDir} (process ${lock.pid}): stop that one, or set DATA_DIR.`);
  }
  await Promise.all((lock?.children ?? []).map(endLeftover));
  rmSync(file, { force: true });
  await takeOver(file, dataDir);
}

async function endLeftover(leftover: Known): Promise<void> {
  const limit = performance.now() + leftoverLimitMs;
  if (isStill(leftover)) process.kill(leftover.pid, 'SIGTERM');
  while (isStill(leftover)) {
    if (performance.now() > limit) process.kill(leftover.pid, 'SIGKILL');
    await delay(50);
  }
}

function known(pid: number): Known {
  return { pid, identity: processIdentity(pid) ?? '' };
}

function isStill({ pid, identity }: Known): boolean {
  return identity !== '' && processIdentity(pid) === identity;
}
