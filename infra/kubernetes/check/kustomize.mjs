import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { allOnPath, capture } from '../../local/bootstrap/command.mjs';
import { cache, executable } from '../../local/bootstrap/paths.mjs';

const version = 'v5.8.1';
const oldestMajor = 5;
const folder = join(cache, 'tools', `kustomize-${version}`);

/**
 * Finds kustomize or kubectl on PATH, or builds kustomize with Go once.
 * @returns {Promise<string[] | undefined>} the command, to which the folder is appended; undefined if there is none
 */
export async function findKustomize(steps) {
  for (const program of allOnPath('kustomize')) {
    if (await isNewEnough([program, 'version'])) return [program, 'build'];
  }
  for (const program of allOnPath('kubectl')) {
    if (await isNewEnough([program, 'version', '--client'])) return [program, 'kustomize'];
  }
  const built = join(folder, `kustomize${executable}`);
  if (existsSync(built)) return [built, 'build'];
  const [go] = allOnPath('go');
  if (go === undefined) return undefined;
  const { code } = await steps.run('Building kustomize', () =>
    capture(go, ['install', `sigs.k8s.io/kustomize/kustomize/v5@${version}`], {
      env: { ...process.env, GOBIN: folder },
    }),
  );
  return code === 0 ? [built, 'build'] : undefined;
}

async function isNewEnough([program, ...args]) {
  const { output } = await capture(program, args);
  // kubectl prints its own version first.
  const [, major] = /(?:Kustomize Version: |^)v(\d+)\.\d+\.\d+\s*$/m.exec(output) ?? [];
  return Number(major) >= oldestMajor;
}

const overlays = new URL('../overlays/', import.meta.url);

/** Renders the objects of an overlay. Throws with the output of kustomize. */
export function render([program, ...args], overlay) {
  const folder = fileURLToPath(new URL(overlay, overlays));
  const { status, stdout, stderr, error } = spawnSync(program, [...args, folder], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`cannot render ${overlay}: ${error?.message ?? stderr.trim()}`);
  // Kubernetes reads YAML 1.1, in which 0440 is octal.
  return parseAllDocuments(stdout, { version: '1.1' }).map((document) => document.toJS());
}
