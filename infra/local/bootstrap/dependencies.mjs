import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { allOnPath, capture } from './command.mjs';
import { root } from './paths.mjs';
import { Problem } from './terminal.mjs';

const lockFile = join(root, 'package-lock.json');
const stampFile = join(root, 'node_modules', '.stamp');
const modules = join(root, 'node_modules') + sep;

/** Runs `npm ci` unless the dependencies of the lock file are installed. */
export async function installDependencies(steps) {
  const lock = readFileSync(lockFile);
  const stamp = `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}`;
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  if (!matchesLock(JSON.parse(lock.toString()))) {
    await steps.run('Installing dependencies', npmCi);
  }
  writeFileSync(stampFile, stamp);
}

/** Whether npm's record of installed packages equals the lock file. */
function matchesLock({ packages: wanted }) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const { packages: installed } = JSON.parse(readFileSync(record, 'utf8'));
  const same = (path) =>
    installed[path]?.version === wanted[path].version && installed[path]?.resolved === wanted[path].resolved;
  return Object.keys(wanted)
    .filter((path) => path.includes('node_modules/') && !wanted[path].optional)
    .every((path) => same(path));
}

async function npmCi() {
  const [command, ...first] = npmCommand();
  const { code, output } = await capture(command, [...first, 'ci', '--no-audit', '--no-fund'], {
    cwd: root,
    shell: process.platform === 'win32' && first.length === 0,
    env: { ...process.env, PATH: pathWithout(modules) },
  });
  if (code !== 0) throw new Problem(`npm ci failed:\n${output.trim()}`);
}

/** The npm that started us. Never on a Node inside node_modules, which `npm ci` would delete while it runs. */
function npmCommand() {
  const npm = process.env.npm_execpath;
  const node = process.env.npm_node_execpath;
  if (npm?.endsWith('.js')) {
    const outer = [node, ...allOnPath('node')].find(
      (path) => path !== undefined && !path.startsWith(modules),
    );
    if (outer !== undefined) return [outer, npm];
  }
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

function pathWithout(directory) {
  const separator = process.platform === 'win32' ? ';' : ':';
  const parts = (process.env.PATH ?? '').split(separator);
  return parts.filter((part) => !`${part}${sep}`.startsWith(directory)).join(separator);
}
