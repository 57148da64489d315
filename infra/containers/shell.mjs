import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Output lines in the error of a failed command. */
const errorLines = 15;
const maxOutput = 64 * 1024 * 1024;

/**
 * Runs a program and returns its output; both streams if it failed.
 * @returns {Promise<{ok: boolean, output: string}>}
 */
export async function tryRun(program, args, options = {}) {
  try {
    const { stdout } = await run(program, args, { maxBuffer: maxOutput, ...options });
    return { ok: true, output: stdout.trim() };
  } catch (error) {
    const output = [error.stdout, error.stderr].filter(Boolean).join('\n').trim();
    return { ok: false, output: output || error.message };
  }
}

/**
 * Runs a program and returns its output.
 * @throws Error with the end of its output if it fails
 */
export async function sh(program, args, options = {}) {
  const { ok, output } = await tryRun(program, args, options);
  if (!ok)
    throw new Error(
      `${program} ${args.join(' ')} failed:\n${output.split('\n').slice(-errorLines).join('\n')}`,
    );
  return output;
}

export const docker = (...args) => sh('docker', args);

/** The engine's description of a container or an image. */
export const inspect = async (name) => JSON.parse(await docker('inspect', name))[0];

const pollMs = 100;

/**
 * Polls until `condition` returns something truthy, and returns that.
 * @throws Error that names `what` after `limitMs`
 */
export async function until(what, limitMs, condition) {
  const giveUpAt = Date.now() + limitMs;
  for (;;) {
    const result = await condition();
    if (result) return result;
    if (Date.now() > giveUpAt) throw new Error(`timed out after ${limitMs / 1000} s: ${what}`);
    await delay(pollMs);
  }
}
