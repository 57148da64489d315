import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '@joblisting/service-kit/node-flags';
import { freePort, guard, waitFor } from '@joblisting/testing';

const repository = new URL('../../..', import.meta.url).pathname;

/** One service as a process of its own, run from source. */
export interface ServiceProcess {
  readonly name: string;
  readonly healthUrl: string;
  /** On the health port: not where the gateway's clients are. */
  readonly metricsUrl: string;
  /** The running process; undefined once it has ended. */
  readonly pid: () => number | undefined;
  /** The end of what it has logged. */
  readonly log: () => string;
  /** SIGTERM, and wait for its end. Resolves to the exit code. */
  readonly stop: () => Promise<number | null>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Starts it again where it was, after a stop or a kill. */
  readonly restart: () => Promise<void>;
}

/**
 * Starts `services/<name>` and resolves when `/readyz` says 200. Rejects with the end of its log otherwise.
 * @param onLog gets all that it logs, as it comes
 * @param root the directory that has the sources; this repository, unless it is to run another release
 */
export async function startProcess(
  name: string,
  env: Record<string, string>,
  onLog?: (text: string) => void,
  root: string = repository,
): Promise<ServiceProcess> {
  const port = await freePort();
  const healthUrl = `http://127.0.0.1:${env['PORT'] ?? port}`;
  let child: ChildProcess;
  let guarded: { close: () => void } | undefined;
  let log = '';

  const launch = async () => {
    child = spawn(
      process.execPath,
      [...NODE_FLAGS, '--conditions=@joblisting/source', join(root, 'services', name, 'src', 'main.ts')],
      {
        env: {
          ...NODE_ENVIRONMENT,
          PATH: process.env['PATH'] ?? '',
          LOG_LEVEL: 'warn',
          HEALTH_PORT: String(port),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    guarded?.close();
    guarded = child.pid === undefined ? undefined : guard(child.pid);
    const keep = (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
      onLog?.(chunk.toString());
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const becomeReady = async () => {
      if (child.exitCode !== null) return 'ended';
      const answer = await fetch(`${healthUrl}/readyz`);
      return answer.ok && 'ready';
    };
    try {
      const state = await waitFor(becomeReady, { limitMs: 60_000, everyMs: 50, what: `${name} to be ready` });
      if (state === 'ended') throw new Error(`${name} ended with code ${child.exitCode}`);
    } catch (cause) {
      child.kill('SIGKILL');
      throw new Error(`${name} did not start:\n${log}`, { cause });
    }
  };

  const gone = async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    guarded?.close();
    return child.exitCode;
  };

  await launch();
  return {
    name,
    healthUrl,
    metricsUrl: `http://127.0.0.1:${env['HEALTH_PORT'] ?? port}/metrics`,
    pid: () => (child.exitCode === null && child.signalCode === null ? child.pid : undefined),
    log: () => log,
    kill: (signal) => void child.kill(signal),
    stop: () => {
      child.kill('SIGTERM');
      return gone();
    },
    restart: async () => {
      await gone();
      await launch();
    },
  };
}
