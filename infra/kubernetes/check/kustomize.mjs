import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { allOnPath, capture } from '../../local/bootstrap/command.mjs';
import { cache, executable } from '../../local/bootstrap/paths.mjs';

const version = 'v5.8.1';
const oldestMajor = 5;
const folder = join(cache, 'tools', `kustomize-${version}`);

/**
 * Something that renders: kustomize or kubectl from PATH, or kustomize built by Go, once.
 * @returns {Promise<string[] | undefined>} the command before the folder to render; undefined: nothing can be had
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
  // kubectl says first which version it has itself.
  const [, major] = /(?:Kustomize Version: |^)v(\d+)\.\d+\.\d+\s*$/m.exec(output) ?? [];
  return Number(major) >= oldestMajor;
}
