import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const main = new URL('../../cli/src/main.ts', import.meta.url).pathname;

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in `directory` as a user would, without a terminal. */
export async function runCli(directory: string, args: readonly string[]): Promise<CliResult> {
  const child = spawn(process.execPath, ['--conditions=@joblisting/source', main, ...args], {
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, stdout, stderr };
}
