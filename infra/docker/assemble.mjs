// Puts together what one workspace needs to run, and nothing else: node assemble.mjs services/jobs <target folder>
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const [workspace, target] = process.argv.slice(2);
const root = process.cwd();

/** What a workspace runs besides its own build and its dependencies. */
const besides = {
  'infra/local': ['infra/local/bootstrap', 'infra/docker/setup', 'infra/mongodb', 'infra/nats'],
};

/** Sources, types, source maps, tests and words for readers: no program loads them. */
const unused = /\.(map|ts|mts|cts|md|markdown|tsbuildinfo)$|\.(test|spec)\.[cm]?js$/i;
/** Of an installed package; packages inside of it are listed themselves. */
const unusedFolders = ['node_modules', 'test', 'tests', 'docs', 'example', 'examples', 'benchmarks'];

function copy(from, to, leftOut = []) {
  cpSync(from, join(target, to), {
    recursive: true,
    filter: (path) => !unused.test(path) && !leftOut.includes(relative(from, path)),
  });
}

/** Folders with a second build, by fields and conditions that bundlers read and Node does not. */
function buildsForBundlers(manifest) {
  const forBundlers = new Set(['module', 'esnext', 'browser']);
  const read = JSON.stringify([manifest.main, manifest.exports], (key, value) =>
    forBundlers.has(key) ? undefined : value,
  );
  return [manifest.module, manifest.esnext]
    .filter((path) => typeof path === 'string')
    .map((path) => dirname(normalize(path)))
    .filter((folder) => folder !== '.' && !read.includes(folder));
}

/** Copies an installed package; one of this repository is a link, and stays one. */
function copyPackage(path) {
  const place = relative(root, path);
  const real = relative(root, realpathSync(path));
  if (real === place) {
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    return copy(path, place, [...unusedFolders, ...buildsForBundlers(manifest)]);
  }
  copy(join(root, real, 'package.json'), join(real, 'package.json'));
  copy(join(root, real, 'dist'), join(real, 'dist'));
  mkdirSync(join(target, dirname(place)), { recursive: true });
  symlinkSync(relative(dirname(place), real), join(target, place));
}

const options = ['--all', '--omit=dev', '--parseable', '--loglevel=error', '--workspace', workspace];
const [, ...packages] = execFileSync('npm', ['ls', ...options], { encoding: 'utf8' })
  .trim()
  .split('\n');
for (const path of packages.filter((path) => !path.includes(`/@types/`))) copyPackage(path);
for (const path of besides[workspace] ?? []) copy(path, path);
copy('package.json', 'package.json');
copy('infra/docker/healthcheck.mjs', 'healthcheck.mjs');
