import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { capture } from './command.mjs';
import { cache, executable, root } from './paths.mjs';
import { Problem } from './terminal.mjs';

const wantedMajor = 24;

/**
 * The Node that runs the product: the npm dependency `node`, this one if it is new enough, or the package with the
 * binary (for machines that disable install scripts).
 */
export async function findNode24(steps) {
  const installed = join(root, 'node_modules', 'node', 'bin', `node${executable}`);
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split('.')[0]) >= wantedMajor) return process.execPath;
  return steps.run('Fetching Node 24', fetchNode24);
}

async function fetchNode24() {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = `${prefix}-${platform}-${process.arch}`;
  const directory = join(cache, 'tools', `node-${devDependencies.node}`);
  const binary = join(directory, 'node_modules', name, 'bin', `node${executable}`);
  if (existsSync(binary)) return binary;
  const { code, output } = await capture(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    [
      'install',
      '--prefix',
      directory,
      '--no-save',
      '--no-audit',
      '--no-fund',
      `${name}@${devDependencies.node}`,
    ],
    { cwd: root, shell: process.platform === 'win32' },
  );
  if (code !== 0) throw new Problem(`Node ${wantedMajor} could not be fetched:\n${output.trim()}`);
  return binary;
}

/** The environment after the bootstrap: Node 24 and the project's tools come first on PATH. */
export function environment(node24) {
  const path = [dirname(node24), join(root, 'node_modules', '.bin'), process.env.PATH ?? ''];
  return { ...process.env, PATH: path.join(delimiter), TURBO_TELEMETRY_DISABLED: '1' };
}
