import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { executable } from './paths.mjs';

const tailLength = 4000;
const orphanPollMs = 250;

/** Every path of `program` on PATH, in order. */
export function allOnPath(program) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => directory !== '')
    .map((directory) => join(directory, program + executable))
    .filter((path) => existsSync(path));
}

const installers = [
  ['apt-get', (packages) => `apt-get install -y ${packages.debian}`],
  ['dnf', (packages) => `dnf install -y ${packages.fedora}`],
  ['pacman', (packages) => `pacman -S ${packages.arch}`],
  ['brew', (packages) => `brew install ${packages.brew}`],
];

/**
 * The command that installs a package on this machine.
 * @param {{debian: string, fedora: string, arch: string, brew: string}} packages the package's name per installer
 */
export function installCommand(packages, isInstalled = (program) => allOnPath(program).length > 0) {
  const [, command] = installers.find(([program]) => isInstalled(program)) ?? installers[0];
  return command(packages);
}

/**
 * Runs a command and captures the end of its output.
 * @returns {Promise<{code: number | null, output: string}>} code null: it did not start, or a signal ended it
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
 * Runs a command on this terminal, forwards signals to it and returns its exit code. On Ctrl-C the command gets
 * SIGINT twice, from the terminal and from here: it must tolerate that.
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
 * Replaces this process by a command, which saves 50 MB, or passes through to it if Node cannot (before 22.15, and on
 * Windows).
 */
export function become(file, args, { cwd, env }) {
  // On Windows the function exists but throws.
  if (process.execve === undefined || process.platform === 'win32') {
    // The channel closes when this process ends: the command then stops.
    return passThrough(file, args, { cwd, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  }
  process.chdir(cwd);
  return process.execve(file, [file, ...args], env);
}

/** Calls back when npm, which started this process, has ended: npm forwards no signal. */
export function onOrphaned(callback) {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  return setInterval(() => process.ppid !== parent && callback(), orphanPollMs);
}
