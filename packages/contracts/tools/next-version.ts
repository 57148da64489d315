// Sets the next version of the product from the changesets, and writes its notes (README, "A release").
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
const run = (command: string, ...args: readonly string[]): void => {
  execFileSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
};

run('changeset', 'version');
// Changesets writes notes for each package, but there is one product.
const notes = globSync('{packages,services,infra}/*/CHANGELOG.md', { cwd: root });
for (const file of notes) if (!file.includes('contracts')) rmSync(join(root, file));

const manifest = readFileSync(join(root, 'packages', 'contracts', 'package.json'), 'utf8');
run('npm', 'pkg', 'set', `version=${JSON.parse(manifest).version}`);
run('npm', 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
run('npm', 'run', 'generate');
