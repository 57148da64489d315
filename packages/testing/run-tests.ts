// Runs the tests of every package on one shared MongoDB: `node packages/testing/run-tests.ts [turbo arguments]`.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { describeKind, serverKind } from './src/servers/kind.ts';
import { startMongo } from './src/servers/mongo.ts';
import { addCounts, countTests, type TestCounts } from './src/test-counts.ts';

const noTests: TestCounts = { passed: 0, failed: 0, skipped: 0 };
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs turbo, passes its output on, and resolves to its exit code and the sum of jest's counts. */
function runTurbo(args: readonly string[]): Promise<{ code: number; counts: TestCounts }> {
  let counts = noTests;
  const colour = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn('turbo', ['run', '--continue', ...args], {
    cwd: root,
    env: { ...process.env, ...colour },
    stdio: ['inherit', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    const lines = (rest + stripVTControlCharacters(chunk.toString())).split('\n');
    rest = lines.pop() ?? '';
    counts = lines.map(countTests).reduce(addCounts, counts);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, counts }));
  });
}

/** The end-to-end tests take as long as all others together, and turbo alone would start them last. */
async function runAll(): Promise<{ code: number; counts: TestCounts }> {
  // Both runs need the types of the clients, and must not write them at the same time.
  const generated = await runTurbo(['generate']);
  if (generated.code !== 0) return generated;
  const runs = await Promise.all([
    runTurbo(['test', '--filter=@joblisting/e2e']),
    runTurbo(['test', '--filter=!@joblisting/e2e', `--concurrency=${availableParallelism()}`]),
  ]);
  return {
    code: Math.max(...runs.map(({ code }) => code)),
    counts: runs.map(({ counts }) => counts).reduce(addCounts),
  };
}

process.on('SIGINT', () => {});
const since = performance.now();
const shared = process.env['TEST_MONGODB_URI'] ? undefined : await startMongo();
if (shared !== undefined) process.env['TEST_MONGODB_URI'] = shared.uri;
try {
  process.stdout.write(`${describeKind(await serverKind())}\n`);
  const args = process.argv.slice(2);
  const { code, counts } =
    args.length === 0
      ? await runAll()
      : await runTurbo(['test', `--concurrency=${availableParallelism()}`, ...args]);
  const { passed, failed, skipped } = counts;
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  process.stdout.write(
    `\nAll tests: ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s\n`,
  );
  process.exitCode = code;
} finally {
  await shared?.stop();
}
