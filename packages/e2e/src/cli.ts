import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const main = new URL('../../cli/src/main.ts', import.meta.url).pathname;

interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in `directory`, without a terminal. */
export const runCli = (directory: string, args: readonly string[]): Promise<ProgramResult> =>
  runProgram(main, args, { cwd: directory });

/** Runs a program from source to its end. It inherits only PATH. */
export async function runProgram(
  path: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
): Promise<ProgramResult> {
  const child = spawn(process.execPath, ['--conditions=@joblisting/source', path, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'] ?? '', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, stdout, stderr };
}
