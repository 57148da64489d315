import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cache, root } from '../../../../infra/local/bootstrap/paths.mjs';
import { findPythonTools } from '../../../../infra/local/bootstrap/python.mjs';
import { createSteps } from '../../../../infra/local/bootstrap/terminal.mjs';
import { MissingPython } from '../../../../infra/local/bootstrap/wheel.mjs';
import { heyApiProgram, openapiFetchProgram, type Outcome, pythonProgram } from './programs.ts';

type Command = readonly [string, ...string[]];
type Environment = Readonly<Record<string, string>>;

interface Generator {
  readonly name: string;
  readonly program: { readonly file: string; readonly text: string };
  /** The commands that generate and check a client, and the last one, which runs the program. */
  readonly commands: (descriptionUrl: string) => readonly Command[];
  readonly env?: Environment;
}

const modules = join(root, 'node_modules');
const generators = join(root, 'packages', 'e2e', 'node_modules');
const heyApiOptions = ['-o', 'api', '-c', '@hey-api/client-fetch', '--no-log-file'];
const compileAndRun: readonly Command[] = [
  [process.execPath, join(modules, 'typescript', 'bin', 'tsc'), '-p', '.'],
  [process.execPath, join('dist', 'program.js')],
];
const typeScriptSettings = {
  compilerOptions: {
    strict: true,
    target: 'ES2024',
    module: 'NodeNext',
    types: ['node'],
    skipLibCheck: true,
    outDir: 'dist',
  },
};

export const openapiFetch: Generator = {
  name: 'openapi-typescript and openapi-fetch',
  program: { file: 'program.ts', text: openapiFetchProgram },
  commands: (url) => [
    [process.execPath, join(generators, 'openapi-typescript', 'bin', 'cli.js'), url, '-o', 'api.ts'],
    ...compileAndRun,
  ],
};

export const heyApi: Generator = {
  name: '@hey-api/openapi-ts',
  program: { file: 'program.ts', text: heyApiProgram },
  commands: (url) => [
    [
      process.execPath,
      join(generators, '@hey-api', 'openapi-ts', 'bin', 'run.js'),
      '-i',
      url,
      ...heyApiOptions,
    ],
    ...compileAndRun,
  ],
};

/** Undefined without Python. */
export async function findPythonGenerator(): Promise<Generator | undefined> {
  try {
    const [python, program, packages] = await findPythonTools(createSteps(), {
      name: 'openapi-python-client',
      requirements: 'openapi-python-client.txt',
      program: 'openapi-python-client',
      bytes: 16_300_000,
      oldestMinor: 11,
    });
    const options = ['--meta', 'none', '--output-path', 'api', '--config', 'settings.json'];
    return {
      name: 'openapi-python-client',
      program: { file: 'program.py', text: pythonProgram },
      commands: (url) => [
        [python, program, 'generate', '--url', url, ...options],
        [python, 'program.py'],
      ],
      env: { PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' },
    };
  } catch (error) {
    if (!(error instanceof MissingPython)) throw error;
    process.stdout.write(`openapi-python-client: skipped. ${error.message}\n`);
    return undefined;
  }
}

/** Generates a client from the service at `origin` and runs its program in a temporary folder. */
export async function runGenerated(
  { program, commands, env }: Generator,
  origin: string,
  input: Environment,
): Promise<Outcome> {
  // Inside the repository, where TypeScript finds openapi-fetch.
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'generated-'));
  try {
    await writeFile(join(folder, program.file), program.text);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(typeScriptSettings));
    // The Python generator formats what it writes with programs on PATH.
    await writeFile(join(folder, 'settings.json'), '{"post_hooks":[]}');
    const { PATH = '' } = process.env;
    const options = { cwd: folder, env: { PATH, ...env, ...input, BASE_URL: `${origin}/v1.0` } };
    let output = '';
    for (const command of commands(`${origin}/openapi.json`)) output = await stdoutOf(command, options);
    return JSON.parse(output) as Outcome;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function stdoutOf(
  [program, ...args]: Command,
  options: { cwd: string; env: Environment },
): Promise<string> {
  try {
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    const { message, stdout = '' } = error as Error & { stdout?: string };
    throw new Error(`${message}\n${stdout}`, { cause: error });
  }
}
