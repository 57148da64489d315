import { join } from 'node:path';
import { passThrough } from './command.mjs';
import { root } from './paths.mjs';

const bin = join(root, 'node_modules', '.bin');

/** Every check that needs no server, in the order in which a failure is cheapest to read. */
export const checks = [
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['types', 'turbo', ['run', 'typecheck', '--output-logs=errors-only']],
  ['import rules', 'depcruise', ['--config', '.dependency-cruiser.cjs', 'services', 'packages', 'infra']],
  ['format', 'oxfmt', ['--check', '.']],
  ['build', 'turbo', ['run', 'build', '--output-logs=errors-only']],
];

/** Runs every check, also after one failed, and answers the exit code. */
export async function runChecks(env) {
  const outcomes = [];
  for (const [name, command, args] of checks) {
    console.log(`\n── ${name}`);
    const code = await passThrough(join(bin, command), args, {
      cwd: root,
      env,
      shell: process.platform === 'win32',
    });
    outcomes.push({ name, passed: code === 0 });
  }
  const failed = outcomes.filter(({ passed }) => !passed).map(({ name }) => name);
  const passed = outcomes.length - failed.length;
  console.log(
    `\nChecks: ${passed} passed, ${failed.length} failed${failed.length > 0 ? `: ${failed.join(', ')}` : ''}`,
  );
  return failed.length === 0 ? 0 : 1;
}
