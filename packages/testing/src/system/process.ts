import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '@joblisting/service-kit/node-flags';
import { freePort } from '../free-port.ts';
import { guard } from '../servers/guard.ts';
import { waitFor } from '../wait-for.ts';

/** A Node program to run. */
export interface Program {
  readonly name: string;
  /** Flags of Node, then the file. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Answers 2xx when the program is ready. */
  readonly readyUrl: string;
  /** Gets the log as it is written; or the file to log to, which costs this process nothing. */
  readonly log?: ((text: string) => void) | string | undefined;
}

/** A process that ends with this one. */
export interface RunningProcess {
  readonly name: string;
  /** Undefined after its end. */
  readonly pid: () => number | undefined;
  /** The end of its log. */
  readonly log: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Sends SIGTERM, and SIGKILL if that takes too long. Resolves to the exit code. */
  readonly stop: () => Promise<number | null>;
  /** Starts it again after a stop or a kill. */
  readonly restart: () => Promise<void>;
}

export interface ServiceProcess extends RunningProcess {
  readonly healthUrl: string;
  /** On the health port, which clients of the gateway cannot reach. */
  readonly metricsUrl: string;
}

const READY_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 30_000;
const LOG_CHARACTERS = 4000;

/** Starts a program and resolves when it is ready. Rejects with the end of its log if it ends before. */
export async function launch({ name, args, env, readyUrl, log }: Program): Promise<RunningProcess> {
  let child: ChildProcess;
  let guarded: { close: () => void } | undefined;
  let output = '';
  const logFile = typeof log === 'string' ? log : undefined;
  const lastLog = (): string =>
    logFile !== undefined && existsSync(logFile)
      ? readFileSync(logFile, 'utf8').slice(-LOG_CHARACTERS)
      : output;
  const read = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-LOG_CHARACTERS);
    if (typeof log === 'function') log(chunk.toString());
  };
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const end = async (): Promise<number | null> => {
    if (!hasEnded()) await once(child, 'exit');
    guarded?.close();
    return child.exitCode;
  };
  const begin = async (): Promise<void> => {
    const target = logFile === undefined ? 'pipe' : openSync(logFile, 'a');
    child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', target, target],
    });
    if (typeof target === 'number') closeSync(target);
    guarded?.close();
    guarded = child.pid === undefined ? undefined : guard(child.pid);
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    const becomeReady = async (): Promise<'ended' | boolean> => (hasEnded() ? 'ended' : answers(readyUrl));
    try {
      const what = `${name} to answer 2xx at ${readyUrl}`;
      const state = await waitFor(becomeReady, { limitMs: READY_LIMIT_MS, everyMs: 50, what });
      if (state === 'ended') throw new Error(`${name} ended with code ${child.exitCode}`);
    } catch (cause) {
      child.kill('SIGKILL');
      throw new Error(`${name} did not start:\n${lastLog()}`, { cause });
    }
  };

  await begin();
  return {
    name,
    pid: () => (hasEnded() ? undefined : child.pid),
    log: lastLog,
    kill: (signal) => void child.kill(signal),
    stop: async () => {
      child.kill('SIGTERM');
      const ended = end();
      await Promise.race([ended, delay(STOP_LIMIT_MS, undefined, { ref: false })]);
      if (!hasEnded()) child.kill('SIGKILL');
      return ended;
    },
    restart: async () => {
      await end();
      await begin();
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2000) });
  await answer.body?.cancel();
  return answer.ok;
}

const repository = new URL('../../../..', import.meta.url).pathname;

export interface ServiceProcessOptions {
  readonly log?: Program['log'];
  /** The directory of the repository; another one for another release. */
  readonly root?: string | undefined;
  /** Runs `dist`, as in production, instead of the sources. */
  readonly isBuilt?: boolean | undefined;
}

/** Starts `services/<name>` as a process and resolves when `/readyz` answers 200. */
export async function startProcess(
  name: string,
  env: Readonly<Record<string, string>>,
  { log, root = repository, isBuilt = false }: ServiceProcessOptions = {},
): Promise<ServiceProcess> {
  const healthPort = env['HEALTH_PORT'] ?? String(await freePort());
  const { PORT: port = '0' } = env;
  const healthUrl = `http://127.0.0.1:${port === '0' ? healthPort : port}`;
  const folder = join(root, 'services', name);
  const program = isBuilt
    ? [join(folder, 'dist', 'main.js')]
    : ['--conditions=@joblisting/source', join(folder, 'src', 'main.ts')];
  const running = await launch({
    name,
    args: [...NODE_FLAGS, ...program],
    env: { ...NODE_ENVIRONMENT, LOG_LEVEL: 'warn', HEALTH_PORT: healthPort, ...env },
    readyUrl: `${healthUrl}/readyz`,
    log,
  });
  return { ...running, healthUrl, metricsUrl: `http://127.0.0.1:${healthPort}/metrics` };
}
