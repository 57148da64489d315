// Copies the manifests that `npm ci` needs: node manifests.mjs <target folder>
// They are those of everything that runs, with the development dependencies of the build only: compilers and types.
// `npm ci` accepts a lock file with more packages.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const target = process.argv[2];
const buildTools = new Set(['typescript', 'openapi-typescript', 'schema-dts']);
const isForBuild = (name) => buildTools.has(name) || name.startsWith('@types/');
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

const root = read('package.json');
const folders = globSync(root.workspaces.map((workspace) => `${workspace}/package.json`)).map(dirname);
const manifests = new Map(folders.map((folder) => [folder, read(join(folder, 'package.json'))]));
const folderOf = new Map([...manifests].map(([folder, { name }]) => [name, folder]));

const running = new Set(
  folders.filter((folder) => /^(services\/|packages\/cli$|infra\/local$)/.test(folder)),
);
for (const folder of running) {
  for (const name of Object.keys(manifests.get(folder).dependencies ?? {})) {
    if (folderOf.has(name)) running.add(folderOf.get(name));
  }
}

function write(folder, manifest) {
  mkdirSync(join(target, folder), { recursive: true });
  writeFileSync(join(target, folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
}

const forBuild = ({ devDependencies = {} }) =>
  Object.fromEntries(Object.entries(devDependencies).filter(([name]) => isForBuild(name)));
write('.', { ...root, workspaces: [...running], devDependencies: forBuild(root) });
for (const folder of running) {
  const manifest = manifests.get(folder);
  write(folder, { ...manifest, devDependencies: forBuild(manifest) });
}
cpSync('package-lock.json', join(target, 'package-lock.json'));
