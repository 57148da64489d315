import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { guard } from '@joblisting/testing';

/** How to run a program of Node. */
export interface Program {
  readonly name: string;
  /** Flags of Node, then the file. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What it prints goes there: a pipe would make this process, which is the load, read it. */
  readonly logFile: string;
  /** Answers 2xx once the program is ready. */
  readonly readyUrl: string;
}

export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  /** From its launch until it was ready. */
  readonly readyMs: number;
  readonly stop: () => Promise<void>;
}

const READY_LIMIT_MS = 120_000;
const LOOK_EVERY_MS = 20;
const STOP_LIMIT_MS = 5000;

/** Runs it and resolves when it is ready. Rejects with the end of its log. */
export async function launch({ name, args, env, logFile, readyUrl }: Program): Promise<RunningProcess> {
  const log = openSync(logFile, 'a');
  const since = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  await once(child, 'spawn');
  const pid = child.pid as number;
  const guarded = guard(pid);
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const kill = async (): Promise<void> => {
    if (!hasEnded()) {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await Promise.race([gone, delay(STOP_LIMIT_MS, undefined, { ref: false })]);
      child.kill('SIGKILL');
      if (!hasEnded()) await gone;
    }
    guarded.close();
  };
  while (!(await answers(readyUrl))) {
    if (hasEnded() || performance.now() - since > READY_LIMIT_MS) {
      await kill();
      throw new Error(`${name} did not become ready:\n${readFileSync(logFile, 'utf8').slice(-4000)}`);
    }
    await delay(LOOK_EVERY_MS);
  }
  return { name, pid, readyMs: performance.now() - since, stop: kill };
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
