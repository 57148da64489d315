import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPythonTools } from '../../../../infra/local/bootstrap/python.mjs';
import { createSteps } from '../../../../infra/local/bootstrap/terminal.mjs';
import { type Block, outputsOf, programOf } from './blocks.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** Inside the repository, where the packages of this repository are found. */
const cache = join(root, '.cache', 'guides');
const pythonClient = join(root, 'packages', 'client-python');
const pythonSources = join(pythonClient, 'src');
/** Set by `preparePythonClient`. */
let pythonPath = '';

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

const hasPython = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;

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
    missing: undefined,
  },
  python: {
    name: 'Python',
    file: 'guide.py',
    print: (mark) => `print('${mark}')`,
    before: '',
    command: (file) => ['python3', file],
    missing: hasPython ? undefined : 'there is no Python with pip',
  },
};

/** Runs the blocks of one language as one program. Returns what each has printed. */
export const runBlocks = (
  { file, print, before, command }: Language,
  blocks: readonly Block[],
  env: Environment,
): Promise<string[]> =>
  inOwnFolder(async (folder) => {
    const path = join(folder, file);
    await writeFile(path, `${before}\n${programOf(blocks, print)}`);
    const [program, ...args] = command(path);
    const { PATH = '' } = process.env;
    const options = { cwd: folder, env: { PATH, PYTHONPATH: pythonPath, ...env } };
    const { stdout } = await run(program, args, options);
    return outputsOf(stdout, blocks.length);
  });

/** Compiles TypeScript blocks as one program, with what the client's oldest Node has. Returns the errors. */
export const typeErrorsOf = (blocks: readonly Block[]): Promise<string> =>
  inOwnFolder(async (folder) => {
    await writeFile(join(folder, languages.ts.file), blocks.map(({ text }) => text).join('\n'));
    const settings = {
      extends: join(root, 'packages', 'client', 'tsconfig.test.json'),
      compilerOptions: { rootDir: root, types: ['node'], noUnusedLocals: false },
      include: [languages.ts.file],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    return run(process.execPath, [compiler, '-p', folder]).then(
      () => '',
      ({ stdout, message }: { stdout: string; message: string }) => stdout || message,
    );
  });

async function inOwnFolder<T>(task: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'run-'));
  try {
    return await task(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Makes the Python client ready for `runBlocks`: its own packages, and its generated types. */
export async function preparePythonClient(): Promise<void> {
  const [, , packages] = await findPythonTools(createSteps(), {
    name: 'client-python',
    requirements: 'client-python.txt',
    program: 'pytest',
    bytes: 27_000_000,
    oldestMinor: 10,
  });
  if (!existsSync(join(pythonSources, 'job_listing_client', '_generated.py')))
    await run('npx', ['turbo', 'run', 'generate', '--filter=@joblisting/client-python'], { cwd: root });
  pythonPath = [packages, pythonSources].join(delimiter);
}
