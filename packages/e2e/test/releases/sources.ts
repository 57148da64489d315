import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../../..', import.meta.url));

const git = (args: readonly string[], env: Record<string, string> = {}): string =>
  execFileSync('git', args, {
    cwd: repository,
    encoding: 'utf8',
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });

function hasCommit(commit: string): boolean {
  try {
    git(['cat-file', '-e', `${commit}^{commit}`]);
    return true;
  } catch {
    return false;
  }
}

/** Shallow clones lack the commit, so CI fetches it. */
function fetchCommit(commit: string): void {
  try {
    git(['fetch', '--quiet', '--depth=1', 'origin', commit]);
  } catch {
    // The caller checks for the commit.
  }
}

/** The directory with the sources of a commit, or why they are missing. */
type Sources = { readonly root: string } | { readonly missing: string };

/**
 * Checks out a commit under `.cache`. There Node finds libraries in this repository's node_modules, and the repository's
 * own packages in the commit.
 */
export function sourcesOf(commit: string): Sources {
  if (!existsSync(join(repository, '.git'))) return { missing: 'this is not a git clone' };
  if (!hasCommit(commit) && process.env['CI']) fetchCommit(commit);
  if (!hasCommit(commit)) return { missing: `this clone does not have the commit ${commit}` };
  const root = join(repository, '.cache', 'releases', commit);
  if (!existsSync(root)) checkOut(commit, root);
  return { root };
}

function checkOut(commit: string, root: string): void {
  const partial = `${root}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    const env = { GIT_INDEX_FILE: `${partial}.index` };
    git(['read-tree', commit], env);
    git(['checkout-index', '--all', `--prefix=${partial}/`], env);
    linkPackages(partial);
    renameSync(partial, root);
  } finally {
    rmSync(`${partial}.index`, { force: true });
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Links the commit's own packages, because npm's links lead to the current ones. */
function linkPackages(root: string): void {
  for (const file of globSync('{packages,services}/*/package.json', { cwd: root })) {
    const folder = dirname(file);
    const { name } = JSON.parse(readFileSync(join(root, file), 'utf8')) as { name: string };
    const link = join(root, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join('..', '..', folder), link, 'junction');
    const installed = join(repository, folder, 'node_modules');
    if (existsSync(installed)) symlinkSync(installed, join(root, folder, 'node_modules'), 'junction');
  }
}
