import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Lines of a failed command that an error repeats. */
const mostLines = 15;
const mostOutput = 64 * 1024 * 1024;

/**
 * Runs a program to its end and answers what it printed; both streams where it failed.
 * @returns {Promise<{ok: boolean, output: string}>}
 */
export async function tryRun(program, args, options = {}) {
  try {
    const { stdout } = await run(program, args, { maxBuffer: mostOutput, ...options });
    return { ok: true, output: stdout.trim() };
  } catch (error) {
    const output = [error.stdout, error.stderr].filter(Boolean).join('\n').trim();
    return { ok: false, output: output || error.message };
  }
}

/**
 * Runs a program that must work, and answers what it printed.
 * @throws Error with what it printed when it failed
 */
export async function sh(program, args, options = {}) {
  const { ok, output } = await tryRun(program, args, options);
  if (!ok)
    throw new Error(
      `${program} ${args.join(' ')} failed:\n${output.split('\n').slice(-mostLines).join('\n')}`,
    );
  return output;
}

export const docker = (...args) => sh('docker', args);

/** What the engine knows of a container or an image. */
export const inspect = async (name) => JSON.parse(await docker('inspect', name))[0];
