import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FuzzData } from './data.ts';
import type { FuzzOptions } from './options.ts';
import type { FuzzReport } from './report.ts';

const settings = new URL('../../fuzz/', import.meta.url);

/** The command that starts schemathesis, and the directory of its modules. */
interface Schemathesis {
  readonly command: readonly [string, ...string[]];
  readonly modules: string;
}

/** Runs schemathesis with the system's API description and prints its output. Throws if it writes no report. */
export async function runSchemathesis(
  { command, modules }: Schemathesis,
  origin: string,
  data: FuzzData,
  options: FuzzOptions,
): Promise<FuzzReport> {
  const folder = await mkdtemp(join(tmpdir(), 'fuzz-'));
  try {
    const report = join(folder, 'report.json');
    for (const name of ['schemathesis.toml', 'hooks.py']) {
      await copyFile(new URL(name, settings), join(folder, name));
    }
    const codes = [data.linkCode, '0', '..'].map((code) => `${JSON.stringify(code)}\n`);
    await writeFile(join(folder, 'codes.txt'), codes.join(''));
    const [program, ...first] = command;
    const limits = ['--max-examples', String(options.maxExamples), '--seed', String(options.seed)];
    const time = options.maxSeconds === undefined ? [] : ['--max-time', String(options.maxSeconds)];
    const output = ['--report', 'json', '--report-json-path', report];
    const child = spawn(program, [...first, 'run', `${origin}/openapi.json`, ...limits, ...time, ...output], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        PYTHONPATH: modules,
        PYTHONDONTWRITEBYTECODE: '1',
        FUZZ_CONSUMER_KEY: data.consumerKey,
        FUZZ_USER_KEY: data.userKey,
      },
    });
    await once(child, 'exit');
    return JSON.parse(await readFile(report, 'utf8')) as FuzzReport;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
