// Copies only the files that one workspace needs at run time: node assemble.mjs services/jobs <target folder>
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const [workspace, target] = process.argv.slice(2);
const root = process.cwd();

/** Folders that a workspace runs besides its build and its dependencies. */
const extraFolders = {
  'services/gateway': ['services/gateway/pages'],
  'services/site': ['services/site/assets', 'services/site/views'],
  'infra/local': [
    'infra/local/bootstrap',
    'infra/docker/setup',
    'infra/mongodb',
    'infra/nats',
    'infra/operations',
  ],
};

/** Sources, types, source maps, tests and documentation: not needed at run time. */
const unused = /\.(map|ts|mts|cts|md|markdown|tsbuildinfo)$|\.(test|spec)\.[cm]?js$/i;
/** Markdown that the gateway serves. */
const guides = /^services\/gateway\/pages\/guides\//;
/** Folders of an installed package; `npm ls` lists nested packages separately. */
const unusedFolders = ['node_modules', 'test', 'tests', 'docs', 'example', 'examples', 'benchmarks'];

function copy(from, to, excluded = []) {
  cpSync(from, join(target, to), {
    recursive: true,
    filter: (path) => (guides.test(path) || !unused.test(path)) && !excluded.includes(relative(from, path)),
  });
}

/** Folders with a second build that only bundlers read. */
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

/** Copies an installed package. Packages of this repository are links and stay links. */
function copyPackage(path) {
  const link = relative(root, path);
  const real = relative(root, realpathSync(path));
  if (real === link) {
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    return copy(path, link, [...unusedFolders, ...buildsForBundlers(manifest)]);
  }
  copy(join(root, real, 'package.json'), join(real, 'package.json'));
  copy(join(root, real, 'dist'), join(real, 'dist'));
  mkdirSync(join(target, dirname(link)), { recursive: true });
  symlinkSync(relative(dirname(link), real), join(target, link));
}

const options = ['--all', '--omit=dev', '--parseable', '--loglevel=error', '--workspace', workspace];
const [, ...packages] = execFileSync('npm', ['ls', ...options], { encoding: 'utf8' })
  .trim()
  .split('\n');
for (const path of packages.filter((path) => !path.includes(`/@types/`))) copyPackage(path);
for (const path of extraFolders[workspace] ?? []) copy(path, path);
copy('package.json', 'package.json');
copy('infra/docker/healthcheck.mjs', 'healthcheck.mjs');
