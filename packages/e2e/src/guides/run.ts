import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Block, outputsOf, programOf } from './blocks.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** Inside the repository, where the packages of this repository are found. */
const cache = join(root, '.cache', 'guides');
const pythonClient = join(root, 'packages', 'client-python');
const pythonPackages = join(cache, 'python');

export type Environment = Readonly<Record<string, string>>;

interface Language {
  readonly name: string;
  readonly file: string;
  readonly print: (mark: string) => string;
  readonly before: string;
  readonly command: (file: string) => [string, ...string[]];
  /** Why its blocks cannot run on this machine. */
  readonly missing: string | undefined;
}

const hasTypeScriptClient = existsSync(join(root, 'node_modules', '@joblisting', 'client'));

/** How the blocks of each language are run. A block may use what the ones before it have defined. */
export const languages: Readonly<Record<'bash' | 'ts' | 'python', Language>> = {
  bash: {
    name: 'curl',
    file: 'guide.sh',
    print: (mark) => `echo '${mark}'`,
    // Each answer ends with a new line, so that the next one begins on its own.
    before: 'curl() { command curl "$@" && echo; }',
    command: (file) => ['bash', '-euo', 'pipefail', file],
    missing: undefined,
  },
  ts: {
    name: 'TypeScript',
    file: 'guide.mts',
    print: (mark) => `console.log('${mark}');`,
    before: '',
    command: (file) => [process.execPath, '--conditions=@joblisting/source', file],
    missing: hasTypeScriptClient ? undefined : '@joblisting/client is not there',
  },
  python: {
    name: 'Python',
    file: 'guide.py',
    print: (mark) => `print('${mark}')`,
    before: '',
    command: (file) => ['python3', file],
    missing: existsSync(pythonClient) ? undefined : 'job_listing_client is not there',
  },
};

/** Runs the blocks of one language as one program. Returns what each has printed. */
export async function runBlocks(
  { file, print, before, command }: Language,
  blocks: readonly Block[],
  env: Environment,
): Promise<string[]> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'run-'));
  try {
    const path = join(folder, file);
    await writeFile(path, `${before}\n${programOf(blocks, print)}`);
    const [program, ...args] = command(path);
    const { PATH = '' } = process.env;
    const options = { cwd: folder, env: { PATH, PYTHONPATH: pythonPackages, ...env } };
    const { stdout } = await run(program, args, options);
    return outputsOf(stdout, blocks.length);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Builds and installs the Python client for `runBlocks`. */
export async function installPythonClient(): Promise<void> {
  await run('npm', ['run', 'build', '--workspace', '@joblisting/client-python'], { cwd: root });
  const dist = join(pythonClient, 'dist');
  const wheels = (await readdir(dist)).filter((name) => name.endsWith('.whl'));
  const target = ['--quiet', '--upgrade', '--target', pythonPackages];
  await run('python3', ['-m', 'pip', 'install', ...target, ...wheels.map((name) => join(dist, name))]);
}
