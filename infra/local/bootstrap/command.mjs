import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { executable } from './paths.mjs';

/** How much of a command's last output an error keeps, in characters. */
const tailLength = 4000;
const orphanLookMs = 250;

/** Every place on PATH that holds `program`, in order. */
export function allOnPath(program) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => directory !== '')
    .map((directory) => join(directory, program + executable))
    .filter((path) => existsSync(path));
}

/**
 * Runs a command to its end, its output captured.
 * @returns {Promise<{code: number | null, output: string}>} code null: it could not be started or a signal ended it
 */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (chunk) => {
      output = (output + chunk).slice(-tailLength);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}

/**
 * Runs a command on this terminal and answers its exit code. Signals that this process gets go on to it, so
 * that it can end in its own way. A terminal sends Ctrl-C to the command as well, a script to this process
 * alone: the command has to take a second SIGINT like the first.
 */
export function passThrough(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    const forward = (signal) => child.kill(signal);
    process.on('SIGINT', forward);
    process.on('SIGTERM', forward);
    const watch = onOrphaned(() => forward('SIGTERM'));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('SIGINT', forward);
      process.off('SIGTERM', forward);
      clearInterval(watch);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 1));
    });
  });
}

/**
 * Becomes a command where Node can do that (22.15 or newer, not on Windows), and passes through to it elsewhere: to wait
 * for it takes 50 MB. The command has to notice by itself that npm is gone.
 */
export function become(file, args, { cwd, env }) {
  // There is a function on Windows as well, which throws.
  if (process.execve === undefined || process.platform === 'win32') {
    // The end of this process closes the channel, by which the command notices it.
    return passThrough(file, args, { cwd, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  }
  process.chdir(cwd);
  return process.execve(file, [file, ...args], env);
}

/** npm ends on SIGTERM, and its shell with it, without a word to us: notice that they are gone. */
export function onOrphaned(callback) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  return setInterval(() => process.ppid !== parent && callback(), orphanLookMs);
}
